import { afterAll, beforeAll, describe } from 'vitest'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { checkOrders, checkPairs, readTable } from './testing/orders.ts'

/** Every ordered pair of what can happen to a payin of 25.00 after it was paid, with refunds of 10.00. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})
afterAll(() => assertAuditClean(t.owner))
const world = { t, org: () => org }

/** Written by hand: what the balance has paid in the end, and after a plus what suspense has. */
const table = readTable(`
             | full | part | dashboard | opened | withdrawn | won | lost  | reversal | late success | late failure | cancel
full         | 25   | 25   | 25+10     | 25     | 25+25     | 25  | 25+25 | 25       | 25           | 25           | 25
part         | 25   | 20   | 20        | 10     | 25+10     | 10  | 25+10 | 25       | 10           | 10           | 10
dashboard    | 25   | 20   | 20        | 10     | 25+10     | 10  | 25+10 | 25       | 10           | 10           | 10
opened       | 0    | 0    | 10        | 0      | 25        | 0   | 25    | 25       | 0            | 0            | 0
withdrawn    | 25   | 25   | 25        | 25     | 25+25     | 25  | 25+25 | 25       | 25           | 25           | 25
won          | 25   | 10   | 10        | 0      | 25        | 0   | 25    | 25       | 0            | 0            | 0
lost         | 25   | 25   | 25        | 25     | 25+25     | 25  | 25+25 | 25       | 25           | 25           | 25
reversal     | 25   | 25   | 25        | 25     | 25+25     | 25  | 25+25 | 25       | 25           | 25           | 25
late success | 25   | 10   | 10        | 0      | 25        | 0   | 25    | 25       | 0            | 0            | 0
late failure | 25   | 10   | 10        | 0      | 25        | 0   | 25    | 25       | 0            | 0            | 0
cancel       | 25   | 10   | 10        | 0      | 25        | 0   | 25    | 25       | 0            | 0            | 0
`)
const common = ['full', 'part', 'dashboard', 'opened', 'won', 'lost']
/** Where a provider differs, and what is next to it. `ALL_PAIRS=1` plays the rest, too. */
const only = (...names: readonly string[]): readonly string[] =>
  process.env['ALL_PAIRS'] === undefined ? names : [...new Set([...common, ...names])]

describe('at Stripe, which knows no reversal, and whose warning demands nothing', () => {
  checkPairs(world, 'stripe', table, {
    names: [...common, 'withdrawn', 'late success', 'late failure', 'cancel'],
    changes: { 'opened, full': '25', 'opened, part': '10' },
  })
})

describe('at Adyen', () => {
  checkPairs(world, 'adyen', table, { names: only('part', 'opened', 'withdrawn', 'lost', 'reversal') })
})

describe('at Paystack, which takes the money when a dispute is lost, and then calls the payment reversed', () => {
  checkPairs(world, 'paystack', table, {
    names: [...common, 'reversal'],
    changes: {
      // It accepts a refund of a payment that was charged back.
      'lost, dashboard': '25+10',
      // The reversal may be the open dispute, so a person is asked.
      'opened, reversal': '0',
    },
  })
})

describe('at Flutterwave, which takes the money when a dispute is lost', () => {
  checkPairs(world, 'flutterwave', table, {
    names: only('dashboard', 'opened', 'lost', 'reversal'),
    changes: { 'lost, dashboard': '25+10' },
  })
})

describe('at Paystack, which first called the payment failed and was paid later', () => {
  // The simulator does so with this amount. Both messages arrive before anything else happens.
  checkOrders(
    world,
    'paystack',
    `
    full = 25.29
    part = 10
    dashboard = 10
    opened = 0
    won = 0
    lost = 25.29
    reversal = 25.29
    cancel = 0`,
    25.29,
  )
})
