import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { eventsFor, countAfter } from '../../payments/lifecycle/build-events.ts'
import type { Payment } from '../../payments/record.ts'
import { movesTo, transitions, type Status } from '../../payments/lifecycle/rules.ts'

/** The receivers of docs/webhooks.md, as they are printed there. */
const docs = readFileSync(join(import.meta.dirname, '../../../../../docs/webhooks.md'), 'utf8')
const codeOf = (language: string): string =>
  new RegExp(`<!-- tested: ${language} -->\\s+\`\`\`\\w+\\n([^]*?)\`\`\``).exec(docs)?.[1] ?? ''

interface SentEvent {
  event_id: string
  event_type: string
  org_id: string
  data: { payment_id: string; status: Status; sequence: number; refunded_amount: number }
}

const start: Payment = {
  orgId: newId(),
  paymentId: newId(),
  status: 'confirmed',
  eventCount: 0,
  refundedMinor: 0n,
  source: { amountMinor: 1000n, currency: 'GBP' },
  target: { amountMinor: 1000n, currency: 'GBP' },
  direction: 'inbound',
  method: 'card',
  provider: 'stripe',
  clientReference: null,
  failureCode: null,
  failureMessage: null,
  fee: null,
  metadata: null,
  updatedAt: new Date(),
} as unknown as Payment // the fields that events show

/** The events of a payment that goes its way through the table of states, in chronological order. */
function story(choices: readonly number[]): SentEvent[] {
  let payment = { ...start, paymentId: newId() }
  let wasAccepted = false
  const events: SentEvent[] = []
  for (const choice of choices) {
    const reachable = ['processing', ...transitions[payment.status], ...transitions.processing] as Status[]
    const goal = reachable[choice % reachable.length] ?? 'processing'
    const isPartRefund = payment.status === 'completed' && choice % 3 === 0 && payment.refundedMinor < 900n
    const moves = isPartRefund ? [] : safeMoves(payment.status, goal)
    if (moves.length === 0 && !isPartRefund) continue
    const status = moves.at(-1) ?? payment.status
    const refundedMinor = isPartRefund
      ? payment.refundedMinor + 100n
      : status === 'refunded'
        ? 1000n
        : payment.refundedMinor
    const after = { ...payment, status, refundedMinor }
    const firstAcceptance: boolean = !wasAccepted && moves[0] === 'processing'
    wasAccepted ||= firstAcceptance
    const made = eventsFor({ before: payment, payment: after, moves, firstAcceptance })
    payment = { ...after, eventCount: countAfter(payment.eventCount, made) }
    for (const { eventId, eventType, data } of made)
      events.push({ event_id: eventId, event_type: eventType, org_id: start.orgId, data: JSON.parse(data) })
  }
  return events
}

function safeMoves(from: Status, to: Status): Status[] {
  try {
    return movesTo(from, to)
  } catch {
    return []
  }
}

/** Every event at least once, in any order. */
const deliveries = fc
  .array(fc.array(fc.nat(11), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 })
  .map((payments) => payments.flatMap(story))
  .filter((events) => events.length > 0)
  .chain((events) =>
    fc
      .tuple(
        fc.shuffledSubarray(events, { minLength: events.length }),
        fc.array(fc.tuple(fc.nat(events.length - 1), fc.nat(events.length)), { maxLength: 6 }),
      )
      .map(([order, repeats]) => {
        const sent = [...order]
        for (const [which, at] of repeats) sent.splice(at, 0, order[which]!)
        return { events, sent }
      }),
  )

function expectFaithful(
  { events, sent }: { events: SentEvent[]; sent: SentEvent[] },
  worked: SentEvent[],
): void {
  const ids = worked.map(({ event_id: id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const highest = new Map<string, number>()
  const seen = new Set<string>()
  const expected: string[] = []
  for (const { event_id: id, data } of sent) {
    const before = highest.get(data.payment_id) ?? 0
    if (!seen.has(id) && data.sequence >= before) {
      expected.push(id)
      highest.set(data.payment_id, data.sequence)
    }
    seen.add(id)
  }
  // Nothing is lost: all that is not older than what was processed is processed, and in the order of arrival.
  expect(ids).toEqual(expected)
  for (const paymentId of new Set(events.map(({ data }) => data.payment_id))) {
    const last = events.findLast(({ data }) => data.payment_id === paymentId)!.data
    const kept = worked.findLast(({ data }) => data.payment_id === paymentId)!.data
    // No older state overwrites a newer one.
    expect([kept.status, kept.refunded_amount]).toEqual([last.status, last.refunded_amount])
    const ofLastChange = events.filter(
      ({ data }) => data.payment_id === paymentId && data.sequence === last.sequence,
    )
    for (const { event_id: id } of ofLastChange) expect(ids).toContain(id)
  }
}

it('the Node receiver of the docs loses nothing and keeps the newest state, in any order and with duplicates', async () => {
  const module = `data:text/javascript,${encodeURIComponent(`${codeOf('node receiver')}\n// `)}`
  let run = 0
  await fc.assert(
    fc.asyncProperty(deliveries, async (delivery) => {
      const source = `${module}${run++}`
      // The code in the docs has no types.
      const { receive } = (await import(/* @vite-ignore */ source)) as {
        receive: (event: SentEvent, work: (event: SentEvent) => void) => void
      }
      const worked: SentEvent[] = []
      for (const event of delivery.sent) receive(event, (one) => worked.push(one))
      expectFaithful(delivery, worked)
    }),
    { numRuns: 300 },
  )
})

it('the Python receiver of the docs does the same', () => {
  const cases = fc.sample(deliveries, 300)
  const program = `import json, sys
code = ${JSON.stringify(codeOf('python receiver'))}
results = []
for case in json.load(sys.stdin):
    scope = {}
    exec(code, scope)
    worked = []
    for event in case:
        scope["receive"](event, worked.append)
    results.append([event["event_id"] for event in worked])
print(json.dumps(results))`
  const input = JSON.stringify(cases.map(({ sent }) => sent))
  const results = JSON.parse(
    execFileSync('python3', ['-c', program], { input, encoding: 'utf8' }),
  ) as string[][]
  for (const [index, delivery] of cases.entries())
    expectFaithful(
      delivery,
      results[index]!.map((id) => delivery.events.find(({ event_id: other }) => other === id)!),
    )
})

it('payment.completed and its transaction.updated are both processed, whichever arrives first', () => {
  const events = story([0, 2])
  const completed = events.filter(({ data }) => data.status === 'completed')
  expect(completed.map(({ event_type: type }) => type)).toEqual(['payment.completed', 'transaction.updated'])
  expect(new Set(completed.map(({ data }) => data.sequence)).size).toBe(1)
})
