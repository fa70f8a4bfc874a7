/** The URL of a service's path at a partner's address: the address's own path stands before it, its query behind it. */
export function urlAt(address: string, version: string, path: string): URL {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${version}/${path}`;
  return url;
}
