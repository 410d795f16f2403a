import { refundedMinor, type Model, type Terms } from './model.ts'
import type { Call } from './model-call.ts'

interface EndState {
  model: Model
  /** How each call was answered. */
  answers: string[]
}

/** Explores every interleaving of concurrent calls. */
export function explore(start: Model, calls: readonly ((model: Model) => Call)[]): EndState[] {
  const reached = new Map<string, EndState>()
  const open: number[][] = [[]]
  for (let choices = open.pop(); choices; choices = open.pop()) {
    const { end, taken, widths } = play(start, calls, choices)
    reached.set(JSON.stringify([keyOf(end.model), end.answers]), end)
    // At each later choice, the default is replaced once by each alternative.
    for (let at = choices.length; at < taken.length; at++)
      for (let other = 1; other < (widths[at] ?? 1); other++) open.push([...taken.slice(0, at), other])
  }
  return [...reached.values()]
}

function play(
  start: Model,
  calls: readonly ((model: Model) => Call)[],
  choices: readonly number[],
): { end: EndState; taken: number[]; widths: number[] } {
  const model = structuredClone(start)
  const answers: string[] = calls.map(() => '')
  let running = calls.map((call, index) => ({ index, call: call(model) }))
  const taken: number[] = []
  const widths: number[] = []
  while (running.length > 0) {
    const choice = choices[taken.length] ?? 0
    taken.push(choice)
    widths.push(running.length)
    const next = running[choice] ?? running[0]
    const result = next?.call.next()
    if (next && result?.done === true) {
      answers[next.index] = result.value
      running = running.filter((one) => one !== next)
    }
  }
  return { end: { model, answers }, taken, widths }
}

export const keyOf = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))

/** The part of a payment that both the model and the database show. */
export interface PaymentView {
  status: string
  tries: string[]
  action: string | null
  refunds: string[]
  refunded: string
  disputes: string[]
  final: Record<string, string>
  held: Record<string, string>
  events: string[]
  exceptions: string[]
}

const attemptWords: Record<string, string> = {
  out: 'sending',
  unclear: 'unknown',
  taken: 'accepted',
  paid: 'succeeded',
  ended: 'failed',
  refused: 'declined',
  unsent: 'not_sent',
}
const refundWords: Record<string, string> = {
  out: 'sending',
  unclear: 'unknown',
  taken: 'accepted',
  paid: 'completed',
  failed: 'failed',
}

export const viewOfModel = (model: Model, terms: Terms): PaymentView => ({
  status: model.status,
  tries: model.tries.map((one) => `${one.provider} ${attemptWords[one.standing]}`),
  action: model.action,
  refunds: model.refunds.map((one) => `${one.amountMinor} ${refundWords[one.standing]}`).sort(),
  refunded: (model.isTakenBack ? terms.source.amountMinor : refundedMinor(model)).toString(),
  disputes: model.disputes.map(describeDispute).sort(),
  final: textOf(model.final),
  held: textOf(model.held),
  events: model.events,
  exceptions: [
    ...new Set(model.exceptions.map((exception) => exception.split(' ').slice(0, 2).join(' '))),
  ].sort(),
})

const disputeWords: Record<string, string> = {
  warned: 'warning',
  asked: 'needs_response',
  reviewed: 'under_review',
  won: 'won',
  lost: 'lost',
}
const describeDispute = ({ nth, word, round, moves, events }: Model['disputes'][number]): string =>
  `${nth} ${disputeWords[word]} ${round} ${moves} ${events.join(' ')}`

const textOf = (sums: Readonly<Record<string, bigint>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sums)
      .map(([key, sum]): [string, string] => [key, sum.toString()])
      .sort(([one], [two]) => (one < two ? -1 : 1)),
  )
