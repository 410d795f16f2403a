import type { Page } from 'playwright-core'

/** Payments and cases of the seeds that the pictures show. */
export interface Subjects {
  fallback: string
  unknown: string
  refundable: string
  /** Held back by a possible match with a sanctions list. */
  held: string
}

export interface State {
  name: string
  path: (subjects: Subjects) => string
  /** What is done before the picture is taken. */
  act?: (page: Page) => Promise<unknown>
}

const at = (name: string, path: string, act?: State['act']): State => ({
  name,
  path: () => path,
  ...(act && { act }),
})

const openFirst = (page: Page): Promise<unknown> =>
  page
    .locator('main table [data-row], main table tbody a')
    .first()
    .click()
    .then(() => page.waitForURL(/[\da-f-]{36}/))

const runSimulation = async (page: Page): Promise<void> => {
  await page.locator('main form button[type="submit"]').click()
  await page.locator('main table').last().waitFor()
}

export const states: readonly State[] = [
  at('home', '/'),
  at('payments', '/payments'),
  at('payments-failed', '/payments?status=failed'),
  at('payments-empty', '/payments?q=no-such-reference'),
  { name: 'payment', path: ({ fallback }) => `/payments/${fallback}` },
  { name: 'payment-unknown', path: ({ unknown }) => `/payments/${unknown}` },
  {
    name: 'payment-refund',
    path: ({ refundable }) => `/payments/${refundable}`,
    act: (page) => page.getByRole('button', { name: 'Refund', exact: true }).first().click(),
  },
  at('palette', '/', (page) => page.keyboard.press('ControlOrMeta+k')),
  at('approvals', '/approvals'),
  at('exceptions', '/exceptions?status=open'),
  at('exception', '/exceptions?status=open', openFirst),
  at('sanctions-matches', '/sanctions-matches'),
  at('sanctions-match', '/sanctions-matches', async (page) => {
    await openFirst(page)
    await page.locator('main th[scope="row"]').first().waitFor()
  }),
  { name: 'payment-on-hold', path: ({ held }) => `/payments/${held}` },
  at('disputes', '/disputes'),
  at('dispute', '/disputes', openFirst),
  at('refunds', '/refunds'),
  at('analytics', '/analytics'),
  at('routing', '/routing'),
  at('routing-corridor', '/routing?country=NG&method=bank_transfer&direction=inbound'),
  at('routing-policy', '/routing-policy'),
  at('routing-policy-editor', '/routing-policy?view=editor'),
  at('routing-what-if', '/routing-policy?view=what-if', runSimulation),
  at('provider-accounts', '/provider-accounts'),
  at('provider-health', '/provider-health'),
  at('webhooks', '/webhooks'),
  at('api-keys', '/api-keys'),
  at('members', '/members'),
  at('member', '/members', openFirst),
  at('audit-log', '/audit-log'),
  at('branding', '/settings?view=branding'),
]

const routingStates = [
  'routing',
  'routing-policy',
  'routing-policy-editor',
  'routing-what-if',
  'provider-health',
]

export const darkStates = [
  'home',
  'payments',
  'payment',
  'payment-unknown',
  'sanctions-match',
  'branding',
  'provider-accounts',
  ...routingStates,
]
export const phoneStates = [
  'home',
  'payments',
  'payment',
  'exceptions',
  'sanctions-match',
  'dispute',
  'provider-accounts',
  ...routingStates,
]
export const arabicStates = [
  'home',
  'payments',
  'payment',
  'approvals',
  'sanctions-match',
  'dispute',
  'analytics',
  'routing',
  'member',
]
