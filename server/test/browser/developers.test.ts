import { beforeAll, describe, expect, it } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { hasBrowser } from './browser.ts'
import type { CallAnswer, Json } from '../app/test-app.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import { answer, useReceiver } from '../app/test-receiver.ts'
import { transactionData, webhooksPath } from '../app/test-webhooks.ts'
import { attemptDelivery } from '../../src/domains/events/webhooks/deliveries/attempt-delivery.ts'

const s = useDashboard({ env: { LOG_LEVEL: 'silent' } })
const receiver = useReceiver()
let webhook: Json

const call = (method: string, path: string, body?: Json): Promise<CallAnswer> =>
  s.t.call(method, `${webhooksPath}${path}`, { as: s.t.admin, ...(body !== undefined && { body }) })
const register = async (url: string, more: object = {}): Promise<Json> =>
  (await call('POST', '', { endpoint_url: url, ...more })).body.data
const attempt = (deliveryId: string, change: object = {}): Promise<number | null> =>
  attemptDelivery(
    { ...s.t.deps, chance: () => 0, ...change },
    { orgId: s.orgId, deliveryId, hasWaited: false },
  )

beforeAll(async () => {
  if (!hasBrowser) return
  webhook = await register(`${receiver.url}/orders`, { description: 'Orders' })
  await register(`${receiver.url}/books`, { events: ['payment.completed', 'payment.refunded'] })
  await call('PATCH', `/${(await register(`${receiver.url}/old`)).webhook_id}`, { status: 'paused' })
}, 120_000)

/** A delivery to the first endpoint whose only attempt has failed. */
async function makeDeadLetter(): Promise<void> {
  receiver.behave = answer(500, '{"error":"the database is down"}')
  const body = { org_id: s.orgId, transaction_data: transactionData() }
  const { deliveries } = (await call('POST', '/notify', body)).body.data
  const made = deliveries.find(({ webhook_id }: Json) => webhook_id === webhook.webhook_id)
  await attempt(made.delivery_id, { deliveryScheduleMs: [0] })
  receiver.behave = answer(200, 'ok')
}

describe.skipIf(!hasBrowser)('webhooks', () => {
  it('a dead letter is found and replayed', async () => {
    await makeDeadLetter()
    const { page, troubles } = await s.openAs('org-admin')
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.getByRole('link', { name: 'Dead letters' }).click()
    await page.getByRole('table', { name: 'Dead letters' }).waitFor()
    await shoot(page, 'dead-letters')
    await page.getByRole('link', { name: 'transaction.updated' }).click()
    await page.getByRole('region', { name: 'Attempt 1' }).getByText('the database is down').waitFor()
    await shoot(page, 'delivery')
    expect(await violationsOf(page)).toEqual([])
    await page.goBack()
    const before = receiver.bodiesAt('/orders').length
    await page.getByRole('button', { name: 'Replay transaction.updated' }).click()
    await page.getByText('No dead letters').waitFor()
    const { body } = await call('GET', `/${webhook.webhook_id}/deliveries?status=pending`)
    for (const { delivery_id } of body.data) await attempt(delivery_id)
    const bodies = receiver.bodiesAt('/orders')
    expect(bodies).toHaveLength(before + 1)
    expect(bodies.at(-1)).toBe(bodies.at(-2))
    expect(troubles).toEqual([])
  }, 60_000)

  it('an endpoint is added with chosen events; its secret is shown once', async () => {
    const { page, troubles } = await s.openAs('org-admin', { path: '/webhooks' })
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const form = page.getByRole('dialog', { name: 'Add endpoint' })
    await form.getByLabel('URL').fill('ftp://example.com')
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    await form.getByRole('alert').waitFor()
    await form.getByLabel('URL').fill(`${receiver.url}/new`)
    await form.getByLabel('payment.completed').check()
    await shoot(page, 'webhook-add')
    expect(await violationsOf(page)).toEqual([])
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    const shown = page.getByRole('dialog', { name: 'Signing secret' })
    const secret = (await shown.getByRole('code').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    await shoot(page, 'webhook-secret')
    await page.keyboard.press('Escape')
    await shown.waitFor()
    await shown.getByRole('button', { name: 'I have stored it' }).click()
    await shown.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('link', { name: '/new' }).click()
    await page.getByText('payment.completed').waitFor()
    expect(troubles).toEqual([])
  }, 60_000)

  it('an endpoint is tested, paused and deleted, and its secret rotated', async () => {
    const { webhook_id: id } = await register(`${receiver.url}/short`)
    const { page, troubles } = await s.openAs('org-admin', { path: `/webhooks/${id}` })
    await page.getByText('All, including future ones').waitFor()
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByLabel('Event type').selectOption('payment.failed')
    await page.getByRole('dialog').getByRole('button', { name: 'Send test event' }).click()
    await page.getByRole('link', { name: 'payment.failed' }).waitFor()
    await shoot(page, 'webhook')
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('table', { name: 'Endpoints' }).waitFor()
    expect(await page.getByRole('link', { name: '/short' }).count()).toBe(0)
    expect(troubles).toEqual([])
  }, 60_000)

  it('staff reads them without a control that would be refused', async () => {
    const { page, troubles } = await s.openAs('staff', { path: '/webhooks' })
    await page.getByRole('table', { name: 'Endpoints' }).waitFor()
    expect(await page.getByRole('button', { name: 'Add endpoint' }).count()).toBe(0)
    await page.getByRole('link', { name: '/orders' }).click()
    await page.getByRole('region', { name: 'Details' }).waitFor()
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /Pause|Delete|Rotate/ })
        .count(),
    ).toBe(0)
    expect(troubles).toEqual([])
  }, 60_000)
})

describe.skipIf(!hasBrowser)('API keys', () => {
  it('a key is created, shown once, and rotated with an overlap', async () => {
    const { page, troubles } = await s.openAs('org-admin', { path: '/api-keys' })
    await page.getByRole('button', { name: 'Create key' }).click()
    const form = page.getByRole('dialog', { name: 'Create an API key' })
    await form.getByLabel('Name').fill('Shop, production')
    await form.getByLabel('payments:read', { exact: true }).check()
    await shoot(page, 'api-key-create')
    expect(await violationsOf(page)).toEqual([])
    await form.getByRole('button', { name: 'Create key' }).click()
    const shown = page.getByRole('dialog', { name: 'Your new key' })
    const first = (await shown.getByRole('code').textContent()) ?? ''
    await shown.getByRole('button', { name: 'I have stored it' }).click()
    expect(await statusWith(first)).toBe(200)
    await page.getByRole('button', { name: 'Rotate Shop, production' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    const second = (await shown.getByRole('code').textContent()) ?? ''
    expect(second).not.toBe(first)
    await shown.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByText('Replaced').waitFor()
    await shoot(page, 'api-keys')
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200])
    await page
      .getByRole('row', { name: /Replaced/ })
      .getByRole('button', { name: 'Revoke' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200])
    expect(troubles).toEqual([])
  }, 60_000)

  const statusWith = async (key: string): Promise<number> =>
    (await s.t.call('GET', '/v1/transactions', { as: key })).status
})

describe.skipIf(!hasBrowser)('the request log', () => {
  it('shows requests, with filters in the address', async () => {
    const { page, troubles } = await s.openAs('org-admin')
    // No other test here calls it, so a row in the log is that of this call, among the newest, and on the first page.
    const route = '/v1/fees'
    await s.t.call('GET', route, { as: s.t.admin })
    await expect
      .poll(
        async () => {
          await s.t.deps.requestLog.flush()
          return (await s.t.call('GET', `/v1/request-log?route=${route}`, { as: s.t.admin })).body.data.length
        },
        { interval: 500, timeout: defaultWaitMs },
      )
      .toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Request log' }).click()
    await page.getByRole('cell', { name: route }).first().waitFor()
    await shoot(page, 'request-log')
    await page.getByLabel('Result').selectOption('5xx')
    await page.waitForURL('**/request-log?status_class=5xx')
    await page.getByText('Nothing matches these filters').waitFor()
    expect(troubles).toEqual([])
  }, 60_000)
})

describe.skipIf(!hasBrowser)('every screen for developers', () => {
  it('has no violation of accessibility, light and dark', async () => {
    await makeDeadLetter()
    const { page, troubles } = await s.openAs('org-admin')
    const { body } = await call('GET', '/events')
    const screens = {
      webhooks: 'Webhooks',
      [`webhooks/${webhook.webhook_id}`]: /127/,
      [`webhooks/${webhook.webhook_id}/deliveries`]: 'Deliveries',
      'webhooks/events': 'Events',
      [`webhooks/events/${body.data[0].event_id}`]: 'transaction.updated',
      'webhooks/dead-letters': 'Dead letters',
      'api-keys': 'API keys',
      'request-log': 'Request log',
    }
    for (const [path, title] of Object.entries(screens)) {
      await page.goto(`${s.t.url}/dashboard/${path}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByText('Loading').waitFor({ state: 'detached' })
      await shoot(page, path.replaceAll(/[/-]|\w{8}-[\w-]{27}/g, ''))
      expect([path, ...(await violationsOf(page))]).toEqual([path])
    }
    expect(troubles).toEqual([])
  }, 90_000)

  it('names the permission that a viewer lacks, and says what failed', async () => {
    const { page } = await s.openAs('viewer')
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
    for (const [path, permission] of [
      ['webhooks', 'webhooks:read'],
      ['webhooks/events', 'webhooks:read'],
      ['webhooks/dead-letters', 'webhooks:read'],
      ['api-keys', 'api-keys:read'],
      ['request-log', 'audit-log:read'],
    ]) {
      await page.goto(`${s.t.url}/dashboard/${path}`)
      await page.getByText('You do not have access to this.').waitFor()
      await page.getByText(permission ?? '').waitFor()
    }
    await shoot(page, 'refused')
  }, 90_000)

  it('says what a list is for when it is empty, and what failed', async () => {
    const { page } = await s.openAs('org-admin')
    await page.route('**/v1/**', (route) =>
      /users.me|catalog|members/.test(route.request().url())
        ? route.continue()
        : route.fulfill({ json: { success: true, message: '', data: [], meta: { count: 0 } } }),
    )
    for (const [path, title] of [
      ['webhooks', 'No endpoints yet'],
      ['webhooks/events', 'No events yet'],
      ['webhooks/dead-letters', 'No dead letters'],
      ['api-keys', 'No API keys yet'],
      ['request-log', 'No requests yet'],
    ]) {
      await page.goto(`${s.t.url}/dashboard/${path}`)
      await page.getByText(title ?? '').waitFor()
      await shoot(page, `${path?.replace('/', '-')}-empty`)
    }
    const admin = await s.openAs('org-admin')
    await admin.page.route('**/v1/public/**', (route) =>
      route.fulfill({ status: 500, json: { message: 'Something broke.' } }),
    )
    for (const path of ['webhooks', 'webhooks/events', 'webhooks/dead-letters', 'api-keys']) {
      await admin.page.goto(`${s.t.url}/dashboard/${path}`)
      await admin.page.getByRole('alert').getByText('Something broke.').waitFor()
    }
    await shoot(admin.page, 'failing')
    expect(await admin.page.getByRole('button', { name: 'Try again' }).count()).toBe(1)
  }, 90_000)
})
