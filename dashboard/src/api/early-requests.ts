const unused = 'NONE'

/** Both headers as NONE, and the cookie of the session: no form of another site can send this. */
export const sessionHeaders = { authorization: unused, 'x-api-key': unused } as const

/** What every page asks first. */
const firstPaths = ['/v1/users/me', '/auth/session']

const sent = new Map<string, Promise<Response>>()

/** Asks while the scripts of the application are still on their way. */
export function sendEarly(): void {
  for (const path of firstPaths) {
    const response = fetch(path, { headers: sessionHeaders })
    // Whoever takes it hears of the failure.
    response.catch(() => undefined)
    sent.set(path, response)
  }
}

/** The response that is on its way, once; whoever asks again sends a new request. */
export function takeEarly(method: string, url: string): Promise<Response> | undefined {
  const { pathname, search } = new URL(url)
  const early = method === 'GET' && search === '' ? sent.get(pathname) : undefined
  sent.delete(pathname)
  return early
}
