import type { TimelineEntry } from '@switchyard/sdk'
import { expect, it } from 'vitest'
import { summaryOf } from './describe-entry.ts'

const entry = (
  kind: string,
  data: TimelineEntry['data'],
  change: Partial<TimelineEntry> = {},
): TimelineEntry => ({
  entry_id: kind,
  at: '2026-03-01T10:00:00.000Z',
  kind,
  attempt_no: null,
  actors: [],
  summary: 'the words of the server',
  data,
  ...change,
})

const money = { amount: '421.70', currency: 'GHS' }
const people = [
  { user_id: 'u-1', name: 'Ada Admin' },
  { user_id: 'u-2', name: null },
]

it.each([
  [
    'request',
    { direction: 'inbound', method: 'mobile_money', ...money },
    'Incoming · 421.70 GHS · Mobile money',
  ],
  [
    'routing',
    {
      considered: [
        { provider: 'pawapay', taken: true },
        { provider: 'stripe', taken: false },
        { provider: 'paystack', taken: true },
      ],
    },
    'pawaPay, Paystack',
  ],
  ['attempt', { provider: 'paystack', state: 'not_sent' }, 'Attempt 2 at Paystack: not sent'],
  ['inquiry', { result: 'unknown' }, 'Inquiry about attempt 2: outcome unknown'],
  [
    'webhook',
    { provider: 'mpesa', provider_status: 'Completed', result: 'succeeded' },
    'M-Pesa reports Completed: succeeded',
  ],
  [
    'posting',
    {
      kind: 'payout.hold',
      phase: 'pending',
      debit_account: 'available',
      credit_account: 'outgoing',
      ...money,
    },
    'Payout (held): Available → Outgoing, 421.70 GHS',
  ],
  [
    'posting',
    {
      kind: 'newer.kind',
      phase: 'posted',
      debit_account: 'provider:mpesa:1',
      credit_account: 'fees',
      ...money,
    },
    'newer.kind: M-Pesa → Fees, 421.70 GHS',
  ],
  [
    'delivery',
    { event_type: 'payment.completed', host: null, status: 'dead' },
    'payment.completed to a deleted endpoint: Failed',
  ],
  ['review', { decision: 'approve' }, 'Ada Admin and u-2: approved'],
  ['refund', { state: 'completed', ...money }, 'Refund of 421.70 GHS: completed'],
  ['dispute', { state: 'needs_response', ...money }, 'Dispute of 421.70 GHS: Needs a response'],
  [
    'leg',
    { kind: 'collection', provider: 'yellowcard', state: 'accepted', ...money },
    'Collection of 421.70 GHS at Yellow Card: accepted',
  ],
])('words a %s of the timeline', (kind, data, sentence) => {
  expect(summaryOf(entry(kind, data, { attempt_no: 2, actors: people }))).toBe(sentence)
})

it.each(['request', 'attempt', 'posting', 'exception', 'of a later version'])(
  'shows the words of the server where a %s has no data for others',
  (kind) => {
    const id = '0196e8a1-0000-7000-8000-000000000000'
    expect(summaryOf(entry(kind, {}, { summary: `at paystack:${id}` }))).toBe('at paystack')
  },
)
