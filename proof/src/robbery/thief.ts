import { Pool } from 'undici'
import type { Person } from './people.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Ask = {
  readonly by: Person | undefined
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  /** Instead of `body`: bytes that were signed. */
  readonly raw?: { readonly text: string; readonly headers: Readonly<Record<string, string>> }
}
export type Heard = { readonly status: number; readonly text: string; readonly body: unknown }

/** One request of a thief and its answer. */
export type Step = {
  readonly at: number
  readonly endpoint: string
  readonly who: string
  readonly sent: string
  readonly heard: Heard
}

export type Client = {
  readonly steps: readonly Step[]
  ask(ask: Ask): Promise<Heard>
  stop(): Promise<void>
}

const connections = 8
const answerLimitMs = 20_000
const noAnswer = 599

export function createClient(url: string): Client {
  const http = new Pool(url, { connections, headersTimeout: answerLimitMs, bodyTimeout: answerLimitMs })
  const steps: Step[] = []
  return {
    steps,
    async ask(ask) {
      const heard = await send(http, ask)
      const sent = ask.raw?.text ?? (ask.body === undefined ? '' : JSON.stringify(ask.body))
      steps.push({
        at: steps.length + 1,
        endpoint: endpointOf(ask),
        who: ask.by?.name ?? 'anybody',
        sent: `${ask.method} ${ask.path} ${sent}`,
        heard,
      })
      return heard
    },
    stop: () => http.destroy(),
  }
}

async function send(http: Pool, { by, method, path, body, raw }: Ask): Promise<Heard> {
  try {
    const response = await http.request({
      method,
      path,
      headers: {
        ...by?.headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...raw?.headers,
      },
      body: raw?.text ?? (body === undefined ? null : JSON.stringify(body)),
    })
    const text = await response.body.text()
    return { status: response.statusCode, text, body: parse(text) }
  } catch (error) {
    return { status: noAnswer, text: `no answer: ${String(error)}`, body: undefined }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** The path without ids, tokens and the query: what the report counts by. */
const endpointOf = ({ method, path }: Pick<Ask, 'method' | 'path'>): string =>
  `${method} ${path
    .replace(/\?.*$/, '')
    .replaceAll(uuid, '{id}')
    .replace(/\/webhooks\/[\w-]{40,}/, '/webhooks/{token}')}`

export const stepText = ({ at, who, sent, heard }: Step): string =>
  `#${at} ${who}: ${sent.slice(0, 260)}\n      ${heard.status} ${heard.text.slice(0, 260)}`
