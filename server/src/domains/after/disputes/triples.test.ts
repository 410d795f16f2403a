import { afterAll, beforeAll, describe } from 'vitest'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { checkOrders } from './testing/orders.ts'

/**
 * Three things that happen to a payin of 25.00, at least two of which take money out. The sums are written by hand: what
 * the balance has paid in the end, and after a plus what suspense has.
 */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})
afterAll(() => assertAuditClean(t.owner))
const world = { t, org: () => org }

describe('at Stripe, which refuses to refund what was charged back', () => {
  checkOrders(
    world,
    'stripe',
    `
    part, part, part = 20
    part, part, full = 25
    part, dashboard, full = 25
    part, lost, dashboard = 25+10
    part, lost, won = 25+10
    part, won, full = 25
    part, won, lost = 25+10
    dashboard, dashboard, dashboard = 25+5
    dashboard, dashboard, part = 20
    dashboard, full, lost = 25+25
    full, dashboard, dashboard = 25+20
    full, dashboard, lost = 25+35
    full, lost, lost = 25+50
    full, withdrawn, won = 25+25
    won, full, lost = 25+25
    won, part, lost = 25+10
    won, part, dashboard = 20
    won, lost, part = 25
    lost, lost, dashboard = 25+25
    lost, won, full = 25
    withdrawn, lost, won = 25+25
    withdrawn, withdrawn, withdrawn = 25+50
    opened, full, lost = 25+25
    opened, part, withdrawn = 25+10
    opened, dashboard, full = 25
    cancel, part, lost = 25+10
    late failure, dashboard, full = 25
    late success, full, withdrawn = 25+25`,
  )
})

describe('at Paystack, which calls a payment with a lost dispute reversed, and refunds it nevertheless', () => {
  checkOrders(
    world,
    'paystack',
    `
    part, lost, reversal = 25+10
    part, reversal, lost = 25+25
    part, reversal, dashboard = 25
    dashboard, lost, reversal = 25+10
    dashboard, reversal, lost = 25+25
    full, reversal, lost = 25+25
    won, reversal, lost = 25+25
    lost, dashboard, reversal = 25+10
    lost, reversal, lost = 25+25
    lost, full, reversal = 25
    opened, lost, reversal = 25
    reversal, lost, lost = 25+50
    reversal, lost, dashboard = 25+25`,
  )
})
