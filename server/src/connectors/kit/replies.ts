import { z } from 'zod'
import type { AcceptedOutcome, Inquiry, Outcome } from './connector.ts'
import type { HttpResult } from './http-client.ts'
import { parseAnswer } from './parse-answer.ts'

export interface RefusedReply {
  kind: 'refused'
  status: number
  /** The provider's error codes and message. */
  words: readonly string[]
  data: unknown
}

/** The answer of a provider whose envelope distinguishes success from refusal. */
export type Reply =
  | { kind: 'handled'; data: unknown; meta: unknown }
  | RefusedReply
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

export interface Envelope extends Pick<RefusedReply, 'words' | 'data'> {
  isSuccess: boolean
  meta: unknown
}

/** An envelope counts only if it agrees with the HTTP status. */
export function readReply(result: HttpResult, envelopeOf: (body: string) => Envelope | undefined): Reply {
  if (result.kind !== 'answered') return result
  const { status, body } = result
  const { isSuccess, words = [], data, meta } = envelopeOf(body) ?? {}
  if (isSuccess === true && status >= 200 && status < 300) return { kind: 'handled', data, meta }
  if (isSuccess === false && status >= 400 && status < 500) return { kind: 'refused', status, words, data }
  return { kind: 'unknown', reason: `unreliable answer (HTTP ${status})` }
}

/** Undefined if the request was not handled or the data cannot be read. */
export const readData = <Data>(reply: Reply, schema: z.ZodType<Data>): Data | undefined =>
  reply.kind === 'handled' ? schema.safeParse(reply.data).data : undefined

/** The provider refused to list, or could not be reached: its answer proves nothing about what it has. */
export class ListUnavailable extends Error {}

/** For lists: a missing list must not be taken for an empty one, so this throws. */
export function handledOf(reply: Reply, provider: string): Extract<Reply, { kind: 'handled' }> {
  if (reply.kind === 'handled') return reply
  const why = 'reason' in reply ? reply.reason : `HTTP ${reply.status}`
  throw new ListUnavailable(`${provider} gave no list: ${why}`)
}

/** For providers without an envelope: the answer is an error if it matches the error schema. */
export const bareEnvelope =
  <Problem>(schema: z.ZodType<Problem>, wordsOf: (problem: Problem) => string[]) =>
  (body: string): Envelope | undefined => {
    const problem = parseAnswer(body, schema)
    if (problem) return { isSuccess: false, words: wordsOf(problem), data: null, meta: null }
    const data = parseAnswer(body, z.looseObject({}))
    return data && { isSuccess: true, words: [], data, meta: null }
  }

/** Undefined if the answer cannot be read or concerns another payment. */
export type Reading = (data: unknown) => AcceptedOutcome | undefined

const unfit = { kind: 'unknown', reason: 'the answer does not match the payment' } as const

export const createReplyReader = (provider: {
  refusalOf: (reply: RefusedReply) => Outcome
  isNotFound: (reply: RefusedReply) => boolean
}) => ({
  /** A failure in the answer itself is a decline. It has no fallback, because the customer may have seen the failure. */
  outcomeOf: (reply: Reply, read: Reading): Outcome => {
    if (reply.kind === 'not_sent' || reply.kind === 'unknown') return reply
    const accepted = read(reply.data)
    if (accepted?.state.state === 'failed') {
      return { kind: 'declined', failure: accepted.state.failure, fallback: false }
    }
    return reply.kind === 'refused' ? provider.refusalOf(reply) : (accepted ?? unfit)
  },
  /** For a preparatory call that moves no money: whatever its result, the payment was not sent. */
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
