import { parseJson } from './parse-json.ts'

/** A refusal, with what a person needs to report it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string

  constructor(
    status: number,
    { code, message, requestId }: { code: string; message: string; requestId: string },
  ) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
  }
}

interface CallOptions {
  method?: 'GET' | 'POST' | 'DELETE'
  query?: Readonly<Record<string, string | undefined>>
  body?: unknown
  signal?: AbortSignal
  /** The page asks by itself, so the request does not keep the session alive. */
  isBackground?: boolean
}

/** The organisation that this tab shows. Another tab may switch the session to another one. */
let shownOrgId: string | undefined

export function showOrganization(orgId: string | undefined): void {
  shownOrgId = orgId
}

/** Both headers as NONE, and the cookie of the session: no form of another site can send this. */
export const sessionHeaders = (isBackground: boolean): Record<string, string> => ({
  authorization: 'NONE',
  'x-api-key': 'NONE',
  ...(shownOrgId !== undefined && { 'x-switchyard-org': shownOrgId }),
  ...(isBackground && { 'x-switchyard-background': '1' }),
})

/** Decimals arrive as text with exactly the digits that were sent. */
export async function call<Data>(path: string, options: CallOptions = {}): Promise<Data> {
  const { method = 'GET', body, signal, isBackground = false } = options
  const response = await fetch(`${path}${queryString(options.query)}`, {
    method,
    headers: {
      ...sessionHeaders(isBackground),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const text = await response.text()
  if (!response.ok) throw toError(response, text)
  return (text === '' ? undefined : parseJson(text)) as Data // the server validates its responses
}

function queryString(query: CallOptions['query'] = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

function toError(response: Response, text: string): ApiError {
  const requestId = response.headers.get('x-request-id') ?? ''
  const fallback = { code: 'UNKNOWN', message: `The server answered ${response.status}.` }
  try {
    const { code, message } = { ...fallback, ...(JSON.parse(text) as Partial<typeof fallback>) } // an error body
    return new ApiError(response.status, { code, message, requestId })
  } catch {
    return new ApiError(response.status, { ...fallback, requestId })
  }
}
