import { beforeEach, describe, expect, it } from 'vitest'
import { openAccounts, type TestAccounts } from '../../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { installationAccountId, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'

const configs = '/v1/payments/provider-configs'
const accounts = '/v1/payments/provider-accounts'
const t = usePayments({ delayMs: untilSettled })
let org: TestAccounts
beforeEach(async () => {
  org = await openAccounts(t)
})

describe('200', () => {
  it('an account is added, listed with its webhook address, renamed and retired; its keys are never shown', async () => {
    const secretKey = 'sk_live_canary_account'
    const body = { provider: 'paystack', label: 'Paystack Lagos', credentials: { secretKey } }
    const added = await org.call('POST', accounts, body)
    expect([added.status, added.body.data]).toEqual([
      201,
      expect.objectContaining({
        label: 'Paystack Lagos',
        status: 'active',
        custody: 'own',
        org_id: org.orgId,
      }),
    ])
    const at = `${accounts}/${added.body.data.account_id}`
    const renamed = await org.call('PATCH', at, { label: 'Paystack Abuja' })
    expect(renamed.body.data).toMatchObject({ label: 'Paystack Abuja', status: 'active' })
    const retired = await org.call('PATCH', at, { status: 'retired' })
    expect(retired.body.data.status).toBe('retired')
    const read = await org.call('GET', at)
    expect(read.body.data.webhook_url).toContain(`${t.url}/v1/providers/paystack/webhooks/`)
    for (const { text } of [added, renamed, retired, read]) expect(text).not.toContain(secretKey)
  })
})

describe('403 and 404', () => {
  it('an organisation changes neither the installation’s accounts nor another’s', async () => {
    const installation = await installationAccountId(t, 'paystack')
    const other = await openAccounts(t)
    await other.ownAccount('paystack', { secretKey: 'sk_other' })
    const { body } = await other.call('GET', `${accounts}?provider=paystack`)
    const others = body.data.find((account: Json) => account.org_id === other.orgId).account_id
    const change = { label: 'Mine now' }
    expect((await org.call('PATCH', `${accounts}/${installation}`, change)).status).toBe(403)
    expect((await org.call('PATCH', `${accounts}/${others}`, change)).status).toBe(404)
    expect((await org.call('GET', `${accounts}/${others}`)).status).toBe(404)
    const credentials = { secretKey: 'mine' }
    for (const [id, status] of [
      [installation, 403],
      [others, 404],
    ] as const)
      expect((await org.call('PUT', `${accounts}/${id}/credentials`, { credentials })).status).toBe(status)
    const config = { provider: 'paystack', country: 'KE', payment_method: 'card', direction: 'inbound' }
    expect((await org.call('POST', configs, { ...config, account_id: others })).status).toBe(404)
  })
})
