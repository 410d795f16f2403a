import type { HttpClient, HttpResult } from './http-client.ts'

/** With a body it is a POST. */
export type BearerClient = (path: string, body?: object) => Promise<HttpResult>

export function createBearerClient(
  { baseUrl, secretKey }: { baseUrl: string; secretKey: string },
  http: HttpClient,
): BearerClient {
  const authorization = `Bearer ${secretKey}`
  return (path, body) => {
    const url = `${baseUrl}${path}`
    if (body === undefined) return http({ method: 'GET', url, headers: { authorization } })
    const headers = { authorization, 'content-type': 'application/json' }
    return http({ method: 'POST', url, headers, body: JSON.stringify(body) })
  }
}
