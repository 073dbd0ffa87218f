/**
 * Builds a root file system inside new namespaces and runs a command in it, like bubblewrap, but
 * with util-linux alone. Arguments: the folder for the new root, the skill's copy, the working
 * directory, the size of `/tmp`, paths to make readable, `--`, and the command. Every step must
 * succeed (`set -e`), so the command never runs partly confined.
 */
export const namespaceScript = `
set -eu
path=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin
new=$1 copy=$2 start=$3 size=$4
shift 4
mount -t tmpfs -o size=1m,mode=755,nosuid,nodev root "$new"
cd "$new"
mkdir proc dev tmp skill old
mount -t proc -o nosuid,nodev,noexec proc proc
mount -t tmpfs -o "size=$size,mode=1777,nosuid,nodev" tmp tmp
for name in null zero full random urandom; do
  : > "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
mkdir dev/shm
mount -t tmpfs -o "size=$size,mode=1777,nosuid,nodev" shm dev/shm
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
while [ "$1" != -- ]; do
  if [ -L "$1" ]; then
    mkdir -p ".\${1%/*}"
    ln -s "$(readlink "$1")" ".$1"
  elif [ -d "$1" ]; then
    mkdir -p ".$1"
    mount --rbind "$1" ".$1"
    mount -o remount,bind,ro,nosuid,nodev ".$1"
  elif [ -e "$1" ]; then
    mkdir -p ".\${1%/*}"
    : > ".$1"
    mount --bind "$1" ".$1"
    mount -o remount,bind,ro,nosuid,nodev ".$1"
  fi
  shift
done
shift
mount --bind "$copy" skill
mount -o remount,bind,nosuid,nodev skill
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
