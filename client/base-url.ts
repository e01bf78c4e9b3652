/** A base URL without slashes at its end, as paths begin with one. In linear time, unlike a pattern. */
export function trimBaseUrl(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
