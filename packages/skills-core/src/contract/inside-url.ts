/** Whether a URL is a folder's or lies in it: of one scheme and host, by whole names of folders. */
export function isInsideUrl(url: URL, folder: URL): boolean {
  const own = folder.href.endsWith('/') ? folder.href : `${folder.href}/`;
  return url.href.startsWith(own) || `${url.href}/` === own;
}
