import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { pointWebhooks, simulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'
import type { Connector } from '../../../connectors/kit/connector.ts'
import type { ProviderDispute } from '../../../connectors/kit/disputes.ts'
import { statements } from '../../../kernel/db/database.ts'
import { newId } from '../../../lib/ids.ts'
import {
  bankTransferPayin,
  cardPayin,
  installationAccountId,
  openPayments,
  openUnverified,
  operatorOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { untilLockAwaited } from '../../../../test/app/test-database.ts'
import { checkDisputes } from '../reconciliation/check-disputes.ts'
import { queueDisputes } from '../reconciliation/queue-disputes.ts'
import { receiveReport } from './receive-report.ts'
import {
  brokenPromises,
  disputable,
  disputesOf,
  ledgerOf,
  onlyDispute,
  paid,
  type DisputableProvider,
} from './testing/disputed-payments.ts'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const longAgo = new Date('2020-01-01T00:00:00Z')
const checkAt = async (provider: DisputableProvider): Promise<number> => {
  const accountId = await installationAccountId(t, provider)
  const ownerId = '00000000-0000-0000-0000-000000000000'
  return checkDisputes(t.deps, { ownerId, accountId, provider }, longAgo)
}

const unknownReport: ProviderDispute = {
  dedupeKey: 'made up',
  providerRef: 'du_unknown',
  payment: { reference: 'nobody' },
  state: 'needs_response',
  round: 1,
  providerStatus: 'needs_response',
  reason: 'general',
  providerReason: '',
  amount: { amountMinor: 100n, currency: 'GBP' },
}

describe('from another account', () => {
  it.each(['stripe', 'adyen', 'paystack', 'flutterwave'] as const)(
    '%s: it is kept and raised, and nothing is booked',
    async (provider) => {
      const payment = await paid(t, org, disputable[provider])
      // The same keys, so that every signature is valid at both addresses.
      const credentials = simulatorCredentials(t.simulator.url)[provider]
      const stored = await org.call('PUT', `/v1/payments/provider-credentials/${provider}`, { credentials })
      t.simulator.configure(provider, { account: 'default', webhook_url: stored.body.data.webhook_url })
      try {
        await t.simulator.dispute(provider, { reference: payment.reference })
      } finally {
        await pointWebhooks(t.deps, operatorOf(t), t.simulator.url)
      }
      expect(await disputesOf(org)).toEqual([])
      const [exception] = await org.exceptions()
      expect(exception).toMatchObject({ kind: 'message_from_other_account', provider })
      // Adyen has no list of disputes.
      if (provider === 'adyen') return
      await checkAt(provider)
      expect(await disputesOf(org)).toMatchObject([{ state: 'needs_response' }])
    },
  )
})

describe('at an account that does not carry the payment', () => {
  it('is kept with the payment only if the account is of the same organisation', async () => {
    const payment = await paid(t, org, disputable.stripe)
    const stranger = await openPayments(t)
    const kept: unknown[] = []
    for (const { orgId } of [org, stranger])
      await receiveReport(t.deps, {
        account: { orgId, accountId: newId(), provider: 'stripe' },
        report: { ...unknownReport, payment: { reference: payment.reference } },
        isAsked: false,
        inbox: (...row) => {
          kept.push(row)
          return sql`select 1`.compile(statements)
        },
      })
    const result = 'refused: another account carries it'
    expect(kept).toEqual([
      [org.orgId, payment.id, result],
      [stranger.orgId, null, result],
    ])
  })
})

describe('that no webhook brought', () => {
  it.each(['stripe', 'paystack', 'flutterwave'] as const)('%s: the comparison finds it', async (provider) => {
    const payment = await paid(t, org, disputable[provider])
    const { id } = await t.simulator.dispute(provider, { reference: payment.reference, deliver: false })
    expect(await disputesOf(org)).toEqual([])
    await checkAt(provider)
    const { dispute_id, updated_at } = await onlyDispute(org)
    await checkAt(provider)
    expect((await onlyDispute(org)).updated_at).toBe(updated_at)
    await t.simulator.dispute(provider, { id, action: 'lose', deliver: false })
    await checkAt(provider)
    expect(await onlyDispute(org)).toMatchObject({ state: 'lost' })
    const before = await ledgerOf(org, dispute_id)
    expect(before.filter((line) => line.startsWith('dispute.withdrawn'))).toHaveLength(1)
    // The webhook arrives after all.
    await t.simulator.dispute(provider, { id, action: 'lose' })
    expect(await ledgerOf(org, dispute_id)).toEqual(before)
  })

  it('one job for each account that carried something is queued', async () => {
    await paid(t, org, disputable.stripe)
    await queueDisputes(t.deps)
    const { rows } = await t.owner.query(
      `select payload->>'provider' as provider from outbox where handler = 'disputesOf'`,
    )
    expect(rows.map(({ provider }) => provider)).toContain('stripe')
  })
})

describe('about a payment that is not known', () => {
  const receive = async (change: Partial<ProviderDispute>) => {
    const accountId = await installationAccountId(t, 'stripe')
    const account = { orgId: '00000000-0000-0000-0000-000000000000', accountId, provider: 'stripe' }
    const silent: Pick<Connector, 'name'> = { name: 'stripe' }
    const connectors = { ...t.deps.connectors, load: () => Promise.resolve({ ...silent } as Connector) }
    await receiveReport(
      { ...t.deps, connectors },
      {
        account,
        report: { ...unknownReport, ...change },
        isAsked: false,
        inbox: () => ({ sql: 'select 1', parameters: [], query: {} }) as never,
      },
    )
  }

  it('is raised for the account’s owner', async () => {
    await receive({})
    const { rows } = await t.owner.query(
      `select kind from exceptions where finding_key like 'unknown_reference stripe % dispute du_unknown'`,
    )
    expect(rows).toEqual([{ kind: 'unknown_reference' }])
  })

  it('is raised also where the message has only an id of a provider that knows no references', async () => {
    await receive({ providerRef: 'du_nameless', payment: { providerRef: 'pi_nobody' } })
    const { rows } = await t.owner.query(
      `select kind from exceptions where finding_key like 'unknown_reference stripe % dispute du_nameless'`,
    )
    expect(rows).toEqual([{ kind: 'unknown_reference' }])
  })

  it('a payment whose own message is late is asked about, and the dispute is booked', async () => {
    const id = await org.start(bankTransferPayin())
    const reference = (await org.attempts(id)).at(-1)?.data.reference
    t.simulator.setFaults('paystack', [{ on: 'webhook', fault: 'webhook_drop', times: 10 }])
    try {
      await t.simulator.settle({ reference, all: true })
    } finally {
      t.simulator.setFaults('paystack', [])
    }
    expect((await org.record(id)).status).not.toBe('completed')
    await t.simulator.dispute('paystack', { reference })
    expect((await org.record(id)).status).toBe('completed')
    expect(await onlyDispute(org)).toMatchObject({ state: 'needs_response', payment_id: id })
  })

  it('a payment that is under way asks for a repeat, and a failed one is raised', async () => {
    const id = await org.start(bankTransferPayin({ country: 'GB', currency: 'GBP', target_currency: 'GBP' }))
    const [attempt] = await org.attempts(id)
    const named = { providerRef: 'du_early', payment: { reference: attempt.data.reference } }
    await expect(receive(named)).rejects.toMatchObject({ status: 503 })
    await org.call('POST', `/v1/payments/${id}/cancel`)
    expect((await org.record(id)).status).toBe('canceled')
    await receive(named)
    expect(await org.exceptions()).toMatchObject([{ kind: 'dispute_of_unpaid', payment_id: id }])
    expect(await disputesOf(org)).toEqual([])
  })
})

describe('money', () => {
  it('a pooled balance below its limit is raised once, and payouts wait', async () => {
    const poor = await openUnverified(t)
    const payment = await paid(t, poor, disputable.stripe)
    await t.simulator.dispute('stripe', { reference: payment.reference })
    const raised = (await poor.exceptions()).filter(({ kind }) => kind === 'negative_balance')
    // The amount was covered by the payment itself, and Stripe's charge was not.
    expect(raised).toHaveLength(1)
    expect(await brokenPromises(t)).toEqual([])
  })

  it('an exchanged payin is exchanged back at its own rate, and again when the money returns', async () => {
    const path = '/v1/organizations/admin/exchange-rate?fromCurrency=GBP&toCurrency=EUR'
    const quote = (await org.call('GET', path)).body.data
    const target = Math.round(25 * quote.rate * 100)
    const payment = await paid(
      t,
      org,
      cardPayin({ target_currency: 'EUR', target_amount: target / 100, org_rate_id: quote.org_rate_id }),
    )
    const available = async () => {
      const { rows } = await t.owner.query<{ currency: string; minor: string }>(
        `select currency, sum(case when credit_account = 'available' then amount_minor else -amount_minor end)::text as minor
         from ledger_transfers where org_id = $1 and 'available' in (credit_account, debit_account)
           and kind not like 'opening%' group by currency order by currency`,
        [org.orgId],
      )
      return Object.fromEntries(rows.map(({ currency, minor }) => [currency, Number(minor)]))
    }
    const paidIn = await available()
    expect(paidIn).toEqual({ EUR: target, GBP: 0 })
    const { id } = await t.simulator.dispute('stripe', { reference: payment.reference, amount: '10.00' })
    // Stripe's charge is 15.00. Its part and that of the amount are rounded up.
    const part = (minor: number): number => Math.ceil((target * minor) / 2500)
    expect(await available()).toEqual({ EUR: target - part(1000) - part(1500), GBP: 0 })
    await t.simulator.dispute('stripe', { id, action: 'win' })
    expect(await available()).toEqual({ EUR: target - part(1500), GBP: 0 })
  })

  it('a refund is refused while the money is withdrawn, and allowed again once it is back', async () => {
    const payment = await paid(t, org, disputable.stripe)
    const refund = (amount?: number) =>
      org.call('POST', `/v1/payments/${payment.id}/refund`, { reason: 'asked', ...(amount && { amount }) })
    const { id } = await t.simulator.dispute('stripe', { reference: payment.reference })
    const refused = await refund()
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain('disputes')
    await t.simulator.dispute('stripe', { id, action: 'win' })
    expect((await refund()).status).toBe(201)
  })

  it('a refund at the same moment waits for the withdrawal; it does not hold the balance meanwhile', async () => {
    const payment = await paid(t, org, disputable.stripe)
    const refund = await t.deps.db.inOrg(org.orgId, async ({ db }) => {
      await sql`select from payments where payment_id = ${payment.id}::uuid for update`.execute(db)
      const call = org.call('POST', `/v1/payments/${payment.id}/refund`, { reason: 'asked' })
      await untilLockAwaited(t.owner)
      await sql`select is_below_limit(${org.orgId}::uuid, 'available', 'GBP')`.execute(db)
      return { call }
    })
    expect((await refund.call).status).toBe(201)
  })

  it('a partial refund before the dispute: both are booked, and the excess is raised', async () => {
    const payment = await paid(t, org, disputable.stripe)
    const started = await org.call('POST', `/v1/payments/${payment.id}/refund`, {
      reason: 'asked',
      amount: 10,
    })
    expect(started.status).toBe(201)
    await t.simulator.settle({ all: true })
    await t.simulator.dispute('stripe', { reference: payment.reference })
    const { dispute_id } = await onlyDispute(org)
    expect((await ledgerOf(org, dispute_id)).at(-1)).toBe(
      'dispute.withdrawn.1 available>provider:stripe 1500 GBP',
    )
    expect(await ledgerOf(org, dispute_id)).toContain('dispute.excess.1 suspense>provider:stripe 1000 GBP')
    expect(await org.exceptions()).toMatchObject([
      { kind: 'dispute_exceeds_payment', payment_id: payment.id, held: { amount: -10, currency: 'GBP' } },
      { kind: 'dispute_of_refunded', payment_id: payment.id },
    ])
  })
})

describe('afterwards', () => {
  it('the audit finds nothing', async () => {
    expect(await brokenPromises(t)).toEqual([])
  })
})
