import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { hasBrowser } from './browser.ts'
import { accountsOf } from '../worlds/test-accounts.ts'
import { memberOf, type Json } from '../app/test-app.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import { addEscrow, giveFeature, percent, type TestEscrow } from '../worlds/test-escrow.ts'
import { bankTransferPayin, fundedPayments } from '../worlds/test-payments.ts'

const s = useDashboard({ hasWorker: true, env: { LOG_LEVEL: 'silent' } })
let escrow: TestEscrow
let orgId: string

beforeAll(async () => {
  if (!hasBrowser) return
  const { user_id } = memberOf(s.t.seed.orgs[0], 'org-admin')
  const org = await accountsOf(s.t, await fundedPayments(s.t), user_id)
  orgId = org.orgId
  await giveFeature(s.t, orgId)
  escrow = await addEscrow(org, await org.funded(1_000_000))
}, 120_000)

interface Step {
  /** The button that opens the dialog. */
  open: string | RegExp
  /** The button that sends it. */
  send: string
  /** Below which path it is sent. */
  path: string
  fields?: Record<string, string>
  /** The request arrives, and only its answer is lost. */
  arrives?: boolean
}

interface Sent {
  keys: string[]
  bodies: Set<string | null>
}

const doubtText = 'we do not know whether this was carried out'

async function openDialog(page: Page, { open }: Step): Promise<void> {
  await page.getByRole('button', { name: open, exact: true }).click()
  await page.getByRole('dialog').waitFor()
}

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog.getByLabel(label)
    if ((await field.locator('option').count()) > 0) {
      await dialog.locator(`option[value="${value}"]`).waitFor({ state: 'attached' })
      await field.selectOption(value)
    } else await field.fill(value)
  }
}

/** Sends, loses every answer, closes the dialog as `leave` says, and sends again. */
async function loseAndRepeat(page: Page, step: Step, leave: (page: Page) => Promise<unknown>): Promise<Sent> {
  const sent: Sent = { keys: [], bodies: new Set() }
  const isSend = (url: URL): boolean => url.pathname.endsWith(step.path)
  let isLost = true
  await page.route(isSend, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent.keys.push(route.request().headers()['idempotency-key'] ?? 'none')
    sent.bodies.add(route.request().postData())
    if (!isLost) return route.continue()
    if (step.arrives) await route.fetch()
    return route.abort()
  })
  const dialog = page.getByRole('dialog')
  await openDialog(page, step)
  await fill(page, step.fields ?? {})
  await dialog.getByRole('button', { name: step.send, exact: true }).click()
  await dialog.getByText(doubtText).waitFor()
  isLost = false
  await leave(page)
  await openDialog(page, step)
  await dialog.getByText(doubtText).waitFor()
  await shoot(page, `doubt-${step.send.toLowerCase().replaceAll(' ', '-')}`)
  await dialog.getByRole('button', { name: step.send, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.unroute(isSend)
  return sent
}

async function cancel(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

function expectOneSubmission({ keys, bodies }: Sent): void {
  expect(keys.length).toBeGreaterThan(1)
  expect([...new Set(keys)]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)])
  expect(bodies.size).toBe(1)
}

const amountsOf = async (accountId: string): Promise<unknown[]> =>
  (await escrow.org.transactions(accountId)).map(({ amount }: Json) => Math.abs(amount))

describe.skipIf(!hasBrowser)('a dialog that is closed while nobody knows the outcome', () => {
  it('repeats a transfer under its key, shows what was sent, and survives a reload', async () => {
    const [from, to] = [await escrow.org.funded(90_000), await escrow.org.open({ customer_id: 'customer-9' })]
    const { page } = await s.openAs('staff', { orgId, path: `/virtual-accounts/${from.account_id}` })
    const step = { open: 'Transfer', send: 'Transfer', path: '/transfer', arrives: true }
    const fields = { 'To account': to.account_id, Amount: '100.25', Description: 'Rent' }
    const sent = await loseAndRepeat(page, { ...step, fields }, async () => {
      expect(await page.getByLabel('Amount').isDisabled()).toBe(true)
      await cancel(page)
      await page.reload()
      await openDialog(page, step)
      for (const text of ['100.25', 'Rent', 'customer-9'])
        await page.getByRole('dialog').getByRole('definition').filter({ hasText: text }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await cancel(page)
    })
    expectOneSubmission(sent)
    expect((await escrow.org.account(to.account_id)).balance).toBe(100.25)
  })

  it('repeats a withdrawal under its key after another screen was open', async () => {
    const { account_id: accountId } = await escrow.org.funded(90_000)
    const { page } = await s.openAs('staff', { orgId, path: `/virtual-accounts/${accountId}` })
    const step = { open: 'Withdraw', send: 'Withdraw', path: '/withdraw', arrives: true }
    const fields = { Beneficiary: escrow.org.beneficiaryId, Amount: '40' }
    const sent = await loseAndRepeat(page, { ...step, fields }, async () => {
      await cancel(page)
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Balances' }).click()
      await page.getByRole('table', { name: 'Balances' }).waitFor()
      await page.goBack()
    })
    expectOneSubmission(sent)
    expect((await amountsOf(accountId)).filter((amount) => amount === 40)).toHaveLength(1)
  })

  it('repeats the funding of an escrow and the payment of a milestone', async () => {
    const party = await escrow.accountParty()
    const milestone = await escrow.milestone(700, [percent(party, 100)], { label: 'Roof' })
    const { page } = await s.openAs('org-admin', { orgId, path: `/escrows/${escrow.escrowId}` })
    const fields = { 'From account': escrow.fundingAccount.account_id, Amount: '700' }
    const funding = { open: 'Fund', send: 'Fund', path: '/fund', fields, arrives: true }
    expectOneSubmission(await loseAndRepeat(page, funding, cancel))
    expect((await escrow.read()).funded_total).toBe(700)
    await escrow.approve(milestone.milestone_id)
    await page.reload()
    const paying = { open: 'Pay the parties of Roof', send: 'Pay', path: '/disburse' }
    expectOneSubmission(await loseAndRepeat(page, paying, cancel))
    expect((await escrow.org.account(party.account_id)).balance).toBe(700)
  })

  it('repeats a refund, and another one is made only after starting over', async () => {
    const id = await escrow.org.start(bankTransferPayin())
    await expect
      .poll(async () => (await escrow.org.record(id)).status, { timeout: defaultWaitMs })
      .toBe('completed')
    const { page } = await s.openAs('org-admin', { orgId, path: `/payments/${id}` })
    const step = { open: 'Refund', send: 'Refund', path: '/refund', arrives: true }
    const fields = { 'Amount (NGN)': '10', Reason: 'A part is missing.' }
    const sent = await loseAndRepeat(page, { ...step, fields }, cancel)
    expectOneSubmission(sent)
    const list = async (): Promise<Json[]> =>
      (await escrow.org.call('GET', `/v1/payments/${id}/refunds`)).body.data
    expect(await list()).toHaveLength(1)
    await page.route('**/refund', (route) => route.abort())
    await openDialog(page, step)
    await fill(page, { ...fields, 'Amount (NGN)': '11' })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
    await dialog.getByText(doubtText).waitFor()
    await dialog.getByRole('button', { name: 'Start over' }).click()
    await page.unroute('**/refund')
    expect(await dialog.getByText(doubtText).count()).toBe(0)
    await fill(page, { ...fields, 'Amount (NGN)': '12' })
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await list()).map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([10, 12])
  })
})
