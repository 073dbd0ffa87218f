import { systemPaths } from './readable-paths.ts';

/**
 * Gives a run a file system of its own, in memory, with a fixed size and a fixed number of files,
 * and copies its folders to it. Arguments: where, the folder of the copy, bytes, files. It is part
 * of the scripts below, which begin with new user and mount namespaces.
 */
const ownDisk = `
mount -t tmpfs -o "size=$size,nr_inodes=$files,mode=755,nosuid,nodev" run "$new"
cp -a "$copy/skill" "$copy/tmp" "$copy/shm" "$new/"
`;

/** Prepares the file system of a run, and becomes bubblewrap, which binds its folders. */
export const diskScript = `
set -eu
path=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin
new=$1 copy=$2 size=$3 files=$4
shift 4
${ownDisk}
PATH=$path
exec "$@"
`;

/**
 * Builds a root file system inside new namespaces and runs a command in it, like bubblewrap, but
 * with util-linux alone. Arguments: the folder for the new root, the copy, bytes and files of its
 * file system, whether the copy is used where it is, the working directory, the path for the
 * program of descriptor 4 (or nothing), paths to make readable, `--`, files to cover with the one
 * of the copy, `--`, and the command. Every step must succeed (`set -e`), so the command never runs
 * partly confined.
 *
 * A recursive bind brings the mounts below a path along, and making the path read-only does nothing
 * to them. So each mount that is still writable is then made read-only by itself, with the options
 * that it has, since the kernel refuses to take away `noexec` and the like.
 */
export const namespaceScript = `
set -eu
path=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin
new=$1 copy=$2 size=$3 files=$4 shared=$5 start=$6 starter=$7
shift 7
if [ -z "$shared" ]; then
${ownDisk}
else
mount -t tmpfs -o "size=$size,nr_inodes=$files,mode=755,nosuid,nodev" run "$new"
mkdir "$new/skill" "$new/tmp" "$new/shm"
fi
cd "$new"
# Each program takes a millisecond to start, so one makes all folders, and one the links of the
# root. No name of these has a blank.
folders= links=
for place in ${systemPaths.join(' ')}; do
  if [ ! -L "$place" ]; then
    [ ! -d "$place" ] || folders="$folders .$place"
  else
    case $place in /*/*) ;; *) links="$links $place" ;; esac
  fi
done
mkdir -p proc dev/shm old $folders
[ -z "$links" ] || cp -P $links .
# Before what is readable, which may be below.
mount --bind shm dev/shm
mount --bind tmp tmp
while [ "$1" != -- ]; do
  if [ -L "$1" ]; then
    [ -d ".\${1%/*}" ] || mkdir -p ".\${1%/*}"
    [ -L ".$1" ] || ln -s "$(readlink "$1")" ".$1"
  elif [ -d "$1" ]; then
    [ -d ".$1" ] || mkdir -p ".$1"
    mount -o rbind,ro,nosuid,nodev "$1" ".$1" 2>&- || mount --rbind "$1" ".$1"
  elif [ -e "$1" ]; then
    [ -d ".\${1%/*}" ] || mkdir -p ".\${1%/*}"
    # What is there already is the host's, from a folder above it.
    [ -e ".$1" ] || : > ".$1"
    mount -o bind,ro,nosuid,nodev "$1" ".$1" 2>&- || mount --bind "$1" ".$1"
  fi
  shift
done
shift
while [ "$1" != -- ]; do
  mount --bind "$copy/covering" ".$1"
  shift
done
shift
mounts=$(cat /proc/self/mountinfo)
while read -r id parent device root point options rest; do
  case $point in
    "$new" | "$new/tmp" | "$new/dev/shm") continue ;;
    "$new"/*) ;;
    *) continue ;;
  esac
  case $options in ro | ro,*) continue ;; esac
  # Spaces and the like are written as \\040.
  case $point in *\\\\*) point=$(printf "$(printf %s "$point" | sed 's/%/%%/g')") ;; esac
  case $options in *,idmapped*) options="\${options%%,idmapped*}\${options#*,idmapped}" ;; esac
  mount -o "remount,bind,ro\${options#??},nosuid,nodev" "$point"
done <<END
$mounts
END
mount -t proc -o nosuid,nodev,noexec proc proc
# The list of keys, which is the only way to them that is no system call.
for name in keys key-users; do
  if [ -e "proc/$name" ]; then mount --bind /dev/null "proc/$name"; fi
done
for name in null zero full random urandom; do
  : > "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
if [ -n "$starter" ]; then
  cat <&4 > ".$starter"
  exec 4<&-
  chmod 555 ".$starter"
fi
if [ -z "$shared" ]; then mount --bind skill skill; else
mount --bind "$copy/skill" skill
mount -o remount,bind,nosuid,nodev skill
fi
pivot_root . old
umount -l /old
rmdir /old
mount -o remount,bind,ro,nosuid,nodev /
echo 0 > /proc/sys/user/max_user_namespaces
cd "$start"
# It names the folder of the copy on the host.
unset OLDPWD
PATH=$path
exec "$@"
`;
