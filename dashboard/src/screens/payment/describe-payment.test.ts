import type { PaymentRecord, TimelineEntry } from '@switchyard/sdk'
import { describe, expect, it } from 'vitest'
import { describePayment } from './describe-payment.ts'
import { attemptsOf } from './entries.ts'
import { layOutLanes } from './lay-out-lanes.ts'

const record = (change: Partial<PaymentRecord>): PaymentRecord =>
  ({
    status: 'completed',
    direction: 'inbound',
    amount: '1500.250',
    currency: 'KWD',
    refunded_amount: '0.000',
    failure: null,
    comments: null,
    ...change,
  }) as PaymentRecord // only the fields that the sentence uses

const entry = (kind: string, at: string, change: Partial<TimelineEntry> = {}): TimelineEntry => ({
  entry_id: `${kind}.${at}`,
  at: `2026-03-01T${at}Z`,
  kind,
  attempt_no: null,
  actors: [],
  summary: kind,
  data: {},
  ...change,
})

const attempt = (no: number, provider: string, state: string): TimelineEntry =>
  entry('attempt', `10:00:0${no}.000`, {
    attempt_no: no,
    data: {
      provider,
      state,
      states: [
        { state: 'sending', at: `2026-03-01T10:00:0${no}.000Z` },
        { state, at: `2026-03-01T10:00:0${no}.400Z` },
      ],
    },
  })

const describeWith = (change: Partial<PaymentRecord>, ...entries: TimelineEntry[]) =>
  describePayment(record(change), attemptsOf(entries))

describe('the answer', () => {
  it('names the provider that processed the payment, and those that declined it before', () => {
    const answer = describeWith({}, attempt(1, 'pawapay', 'declined'), attempt(2, 'paystack', 'succeeded'))
    expect(answer).toEqual({
      tone: 'good',
      title: 'Paid.',
      detail: 'Paystack processed it on the second attempt. pawaPay had declined.',
    })
  })

  it('never calls an unknown outcome failed', () => {
    const answer = describeWith({ status: 'processing' }, attempt(1, 'mpesa', 'unknown'))
    expect(answer.tone).toBe('unknown')
    expect(answer.detail).toContain('do not send it again')
  })

  it('states that no money moved when every provider declined', () => {
    const failure = { code: 'insufficient_funds', message: 'The payer has too little money.' }
    const answer = describeWith(
      { status: 'failed', failure },
      attempt(1, 'pawapay', 'declined'),
      attempt(2, 'flutterwave', 'failed'),
    )
    expect(answer).toEqual({
      tone: 'bad',
      title: 'Failed. No money moved.',
      detail: 'pawaPay and Flutterwave declined. The payer has too little money.',
    })
  })

  it('shows how much was refunded, with the digits of the currency', () => {
    expect(describeWith({ refunded_amount: '12.500' }, attempt(1, 'stripe', 'succeeded')).detail).toBe(
      'Stripe processed it. 12.500 KWD was refunded.',
    )
  })

  it.each([
    ['initiated', 'wait'],
    ['reviewed', 'wait'],
    ['pending', 'neutral'],
    ['canceled', 'neutral'],
    ['rejected', 'bad'],
    ['a_newer_status', 'neutral'],
  ])('has a sentence for %s', (status, tone) => {
    const answer = describeWith({ status })
    expect(answer.tone).toBe(tone)
    expect(answer.title).not.toBe('')
  })
})

describe('the lanes', () => {
  const entries = [
    entry('request', '10:00:00.000'),
    attempt(1, 'pawapay', 'declined'),
    attempt(2, 'paystack', 'succeeded'),
    entry('posting', '16:12:00.000'),
    entry('event', '16:12:00.010'),
  ]

  it('are those who took part, in a fixed order', () => {
    const { lanes } = layOutLanes(entries, true)
    expect(lanes.map(({ label }) => label)).toEqual([
      'Customer',
      'Switchyard',
      'pawaPay',
      'Paystack',
      'Ledger',
    ])
  })

  it('fold the time in which nothing happened', () => {
    const { folds, marks } = layOutLanes(entries, true)
    expect(folds.map(({ ms }) => Math.round(ms / 60_000))).toEqual([372])
    const xs = marks.map(({ x }) => x)
    expect(xs).toEqual(xs.toSorted((a, b) => a - b))
    expect(new Set(xs).size).toBe(xs.length)
  })

  it('place what happened at one moment side by side', () => {
    const twins = [entry('posting', '10:00:00.000'), { ...entry('posting', '10:00:00.000'), entry_id: 'two' }]
    const [one, two] = layOutLanes(twins, false).marks
    expect((two?.x ?? 0) - (one?.x ?? 0)).toBeGreaterThanOrEqual(24)
  })

  it('place none of them into the time in which nothing happened', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ ...entry('event', '10:00:00.000'), entry_id: id }))
    const { folds, marks } = layOutLanes([...many, entry('event', '16:12:00.000')], true)
    const [fold = { x: 0, width: 0 }] = folds
    expect(fold.width).toBeGreaterThan(0)
    for (const { x } of marks) expect(x < fold.x || x > fold.x + fold.width).toBe(true)
  })

  it('show an attempt whose outcome is unknown as doubt until now', () => {
    const { bars } = layOutLanes([attempt(1, 'mpesa', 'unknown')], true)
    expect(bars.map(({ tone }) => tone)).toEqual(['neutral', 'unknown'])
  })
})
