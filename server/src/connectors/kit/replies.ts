import { z } from 'zod'
import type { Accepted, Inquiry, Outcome } from './connector.ts'
import type { HttpResult } from './http-client.ts'
import { parseAnswer } from './parse-answer.ts'

export interface Refused {
  kind: 'refused'
  status: number
  /** Its codes and its message. */
  words: readonly string[]
  data: unknown
}

/** What a provider said whose answers come in an envelope that tells success from refusal. */
export type Reply =
  | { kind: 'handled'; data: unknown; meta: unknown }
  | Refused
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

export interface Envelope extends Pick<Refused, 'words' | 'data'> {
  isSuccess: boolean
  meta: unknown
}

/** Only an envelope that fits the HTTP status is the provider's word. */
export function readReply(result: HttpResult, envelopeOf: (body: string) => Envelope | undefined): Reply {
  if (result.kind !== 'answered') return result
  const { status, body } = result
  const { isSuccess, words = [], data, meta } = envelopeOf(body) ?? {}
  if (isSuccess === true && status >= 200 && status < 300) return { kind: 'handled', data, meta }
  if (isSuccess === false && status >= 400 && status < 500) return { kind: 'refused', status, words, data }
  return { kind: 'unknown', reason: `an answer that cannot be relied on (HTTP ${status})` }
}

/** Undefined: it was not handled, or cannot be read. */
export const readData = <Data>(reply: Reply, schema: z.ZodType<Data>): Data | undefined =>
  reply.kind === 'handled' ? schema.safeParse(reply.data).data : undefined

/** For lists that are shown or compared: none at all is no empty one. */
export function handledOf(reply: Reply, provider: string): Extract<Reply, { kind: 'handled' }> {
  if (reply.kind === 'handled') return reply
  throw new Error(`${provider} gave no list: ${'reason' in reply ? reply.reason : `HTTP ${reply.status}`}`)
}

/** For providers without an envelope: an error is what reads as one. */
export const bareEnvelope =
  <Problem>(schema: z.ZodType<Problem>, wordsOf: (problem: Problem) => string[]) =>
  (body: string): Envelope | undefined => {
    const problem = parseAnswer(body, schema)
    if (problem) return { isSuccess: false, words: wordsOf(problem), data: null, meta: null }
    const data = parseAnswer(body, z.looseObject({}))
    return data && { isSuccess: true, words: [], data, meta: null }
  }

/** Undefined: the answer cannot be read, or is about something else. */
export type Reading = (data: unknown) => Accepted | undefined

const unfit = { kind: 'unknown', reason: 'an answer that does not fit the payment' } as const

export const createReplyReader = (provider: {
  refusalOf: (reply: Refused) => Outcome
  isNotFound: (reply: Refused) => boolean
}) => ({
  /** An end that is answered at once is a refusal: nothing moved. The customer may have seen it: no fallback. */
  outcomeOf: (reply: Reply, read: Reading): Outcome => {
    if (reply.kind === 'not_sent' || reply.kind === 'unknown') return reply
    const accepted = read(reply.data)
    if (accepted?.state.state === 'failed') {
      return { kind: 'declined', failure: accepted.state.failure, fallback: false }
    }
    return reply.kind === 'refused' ? provider.refusalOf(reply) : (accepted ?? unfit)
  },
  /** Of a call before the payment's own that moves nothing: whatever became of it, the payment was not sent. */
  notPrepared: (reply: Reply, missing: string): Outcome => {
    const refusal = reply.kind === 'refused' ? provider.refusalOf(reply) : undefined
    if (refusal?.kind === 'declined') return refusal
    return { kind: 'not_sent', reason: 'reason' in reply ? reply.reason : missing }
  },
  inquiryOf: (reply: Reply, read: Reading): Inquiry => {
    if (reply.kind === 'handled') return read(reply.data) ?? unfit
    if (reply.kind !== 'refused') return { kind: 'unknown', reason: reply.reason }
    if (provider.isNotFound(reply)) return { kind: 'not_found' }
    return { kind: 'unknown', reason: `HTTP ${reply.status}` }
  },
})
