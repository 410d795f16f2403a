import { beforeEach, describe, expect, it } from 'vitest'
import { pointWebhooks, simulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'
import type { Connector } from '../../connectors/kit/connector.ts'
import { connectorDefinitions, connectorNames } from '../../connectors/registry.ts'
import { newId } from '../../lib/ids.ts'
import type { Json } from '../../testing/test-app.ts'
import {
  bankTransferPayin,
  installationAccountId,
  mobileMoneyPayin,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../testing/test-payments.ts'
import { webhookToken } from '../provider-accounts/rules.ts'
import { receiveWebhook } from './receive-webhook.ts'

/** A message at the address of account A about a payment that account B carries, for every provider. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

describe('signed by the provider itself, over HTTP', () => {
  it.each<[string, Json]>([
    ['stripe', bankTransferPayin({ country: 'GB', currency: 'GBP', target_currency: 'GBP' })],
    ['paystack', bankTransferPayin()],
    ['pawapay', mobileMoneyPayin()],
  ])('%s: it is kept and raised, and the payment does not change', async (provider, body) => {
    const id = await org.start(body)
    const before = await org.record(id)
    expect(before.provider).toBe(provider)
    // The same keys, so that every signature is valid at both addresses.
    const credentials = simulatorCredentials(t.simulator.url)[provider]
    const stored = await org.call('PUT', `/v1/payments/provider-credentials/${provider}`, { credentials })
    t.simulator.configure(provider, { account: 'default', webhook_url: stored.body.data.webhook_url })
    try {
      await t.simulator.settle()
    } finally {
      await pointWebhooks(t.deps, operatorOf(t), t.simulator.url)
    }
    expect((await org.record(id)).status).toBe(before.status)
    expect(await org.postings(id)).toEqual([])
    expect(await org.exceptions()).toMatchObject([{ kind: 'message_from_other_account', provider }])
    const { rows } = await t.owner.query('select result from inbox where payment_id = $1', [id])
    expect(new Set(rows.map(({ result }) => result))).toEqual(
      new Set(['refused: another account carries it']),
    )
    await org.advance(id)
    expect((await org.record(id)).status).toBe('completed')
  })
})

describe('whatever the provider', () => {
  const providers = connectorNames.filter((name) => name !== 'manual')

  it.each(providers)('%s: neither a payment nor a refund is moved by another account', async (provider) => {
    expect(connectorDefinitions[provider]).toBeDefined()
    const id = await org.start(bankTransferPayin())
    const accountId = await installationAccountId(t, provider)
    await t.owner.query('update attempts set provider = $2, account_id = $3 where payment_id = $1', [
      id,
      provider,
      accountId,
    ])
    const own = newId()
    await t.owner.query(
      `insert into provider_accounts (org_id, account_id, provider, label, seal_context) values ($1, $2, $3, 'own', 'none')`,
      [org.orgId, own, provider],
    )
    const [attempt] = await org.attempts(id)
    const claims = (['attempt', 'refund'] as const).map((subject) => ({
      subject,
      reference: attempt.data.reference,
      providerRef: 'made-up',
      providerStatus: 'paid',
      dedupeKey: `made up ${subject}`,
      state: { state: 'completed' } as const,
    }))
    const speaker: Connector = {
      name: provider,
      capabilities: [],
      inquire: () => Promise.resolve({ kind: 'not_found' }),
      verifyWebhook: () => Promise.resolve({ kind: 'verified' }),
      readWebhook: () => claims,
    }
    const connectors = { ...t.deps.connectors, load: () => Promise.resolve(speaker) }
    const request = { headers: {}, rawBody: Buffer.alloc(0), method: 'POST', origin: t.url, target: '/' }
    const token = webhookToken(t.deps.webhookKey, own, provider)
    await receiveWebhook({ ...t.deps, connectors }, { provider, token, request })
    expect((await org.record(id)).status).toBe('pending')
    expect(await org.postings(id)).toEqual([])
    expect(await org.exceptions()).toMatchObject([{ kind: 'message_from_other_account', provider }])
  })
})
