import type { FastifyReply } from 'fastify'
import { LIMITS } from '../limits.ts'
import type { Clock } from './clock.ts'
import type { CallFault } from './fault-names.ts'

/** How an answer is disrupted. `hang`, `close` and `reset` send nothing. */
type AnswerEffect = 'hang' | 'close' | 'reset' | 'cut' | 'malformed' | 'server_error' | 'rate_limited'

export interface Answer {
  readonly status: number
  /** A string is sent unchanged, anything else as JSON. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly effect?: AnswerEffect | undefined
}

/** The provider's bodies for 500 and 429. */
export interface ErrorAnswers {
  readonly serverError: Answer
  readonly rateLimited: Answer
}

export const EFFECT_OF_FAULT: Readonly<Record<Exclude<CallFault, 'decline'>, AnswerEffect>> = {
  timeout_before: 'hang',
  error_500: 'server_error',
  rate_limit: 'rate_limited',
  down: 'close',
  refuse: 'reset',
  timeout_after: 'hang',
  error_500_accepted: 'server_error',
  cut_answer: 'cut',
  malformed_200: 'malformed',
}

const NOT_JSON = '<!doctype html><html><body>Bad gateway page instead of JSON</body></html>'

export function json(status: number, body: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return { status, body, ...(headers && { headers }) }
}

export function html(status: number, body: string): Answer {
  return {
    status,
    body,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
      'cache-control': 'no-store',
    },
  }
}

/** With 303, the browser follows a POST with a GET. */
export function seeOther(location: string): Answer {
  return { status: 303, body: '', headers: { location } }
}

/** The answer to a call that fails before acceptance. */
export function onlyEffect(effect: AnswerEffect): Answer {
  return { status: 500, body: '', effect }
}

export function isAnswer(value: object): value is Answer {
  return 'status' in value && 'body' in value
}

interface AnswerContext {
  readonly reply: FastifyReply
  readonly clock: Clock
  readonly errors: ErrorAnswers
}

export async function sendAnswer(sending: AnswerContext, answer: Answer): Promise<void> {
  const { reply, errors } = sending
  switch (answer.effect) {
    case 'hang':
      return hang(sending)
    case 'close':
      return endConnection(reply, 'close')
    case 'reset':
      return endConnection(reply, 'reset')
    case 'cut':
      return cut(reply, answer)
    case 'malformed':
      return write(reply, { status: 200, body: NOT_JSON, headers: { 'content-type': 'application/json' } })
    case 'server_error':
      return write(reply, errors.serverError)
    case 'rate_limited':
      return write(reply, errors.rateLimited)
    case undefined:
      return write(reply, answer)
  }
}

export function endConnection(reply: FastifyReply, how: 'close' | 'reset'): void {
  reply.hijack()
  const { socket } = reply.raw
  if (how === 'reset') socket?.resetAndDestroy()
  else socket?.destroy()
}

async function write(reply: FastifyReply, answer: Answer): Promise<void> {
  const { headers, text } = encode(answer)
  await reply.code(answer.status).headers(headers).send(text)
}

function hang({ reply, clock }: AnswerContext): void {
  reply.hijack()
  const { socket } = reply.raw
  const cancel = clock.after(LIMITS.hangMs, () => socket?.destroy())
  socket?.once('close', cancel)
}

function cut(reply: FastifyReply, answer: Answer): void {
  const { headers, text } = encode(answer)
  const bytes = Buffer.from(text)
  reply.hijack()
  reply.raw.writeHead(answer.status, { ...headers, 'content-length': bytes.length })
  reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => reply.raw.socket?.destroy())
}

function encode(answer: Answer): { readonly headers: Record<string, string>; readonly text: string } {
  if (typeof answer.body === 'string') return { headers: { ...answer.headers }, text: answer.body }
  return {
    headers: { 'content-type': 'application/json; charset=utf-8', ...answer.headers },
    text: JSON.stringify(answer.body),
  }
}
