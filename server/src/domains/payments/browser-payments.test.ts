import { beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from '../../testing/browser.ts'
import { shoot, useDashboard, violationsOf } from '../../testing/test-dashboard.ts'
import { cardPayin } from '../../testing/test-payments.ts'

const s = useDashboard({ hasWorker: true, env: { LOG_LEVEL: 'silent' } })
let paymentId: string

beforeAll(async () => {
  if (!hasBrowser) return
  const { body } = await s.t.initiate({ ...cardPayin(), client_reference: 'INV-2041' })
  paymentId = body.response.payment_id
}, 120_000)

describe.skipIf(!hasBrowser)('the screen of a payment', () => {
  it('is reached by keyboard from the list', async () => {
    const { page, troubles } = await s.openAs('staff', { path: '/payments' })
    await page.getByRole('link', { name: 'INV-2041' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/payments/${paymentId}`)
    await page.getByRole('heading', { name: 'INV-2041' }).waitFor()
    expect(troubles).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'has no violation of accessibility in %s',
    async (colorScheme) => {
      const { page, troubles } = await s.openAs('org-admin', { path: `/payments/${paymentId}`, colorScheme })
      await page.getByRole('tab', { name: 'Details' }).waitFor()
      await shoot(page, `payment-${colorScheme}`)
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('tab', { name: 'JSON' }).click()
      await page.getByRole('group', { name: 'JSON' }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Refund' }).click()
      await page.getByRole('dialog', { name: 'Refund this payment' }).waitFor()
      await shoot(page, `payment-refund-${colorScheme}`)
      expect(await violationsOf(page)).toEqual([])
      expect(troubles).toEqual([])
    },
    90_000,
  )

  it('shows what the server refuses in the dialog, beside its field', async () => {
    const { page } = await s.openAs('org-admin', { path: `/payments/${paymentId}` })
    await page.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund this payment' })
    await dialog.getByLabel('Amount').fill('99999999')
    await dialog.getByLabel('Reason').fill('The customer returned the goods.')
    await dialog.getByRole('button', { name: 'Refund' }).click()
    await dialog.getByRole('alert').waitFor()
    expect(await dialog.getByRole('alert').textContent()).toContain('Request id')
    await shoot(page, 'payment-refund-refused')
  })
})
