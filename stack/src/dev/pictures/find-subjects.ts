import { setTimeout as delay } from 'node:timers/promises'
import { Switchyard } from '@switchyard/sdk'
import type { DevFile } from '../connection-file.ts'
import { holdPayout } from './hold-payout.ts'
import type { Subjects } from './states.ts'

const searched = 400
const doubtPollMs = 1_000
const doubtPatienceMs = 90_000

/** A payment that a second provider took, one whose outcome is not known, one to refund, and one that is held back. */
export async function findSubjects({ api, orgs, database }: DevFile): Promise<Subjects> {
  const apiKey = orgs[0]?.members.find(({ role }) => role === 'org-admin')?.api_key ?? ''
  const client = new Switchyard({ baseUrl: new URL(api).origin, apiKey })
  const completed = await client.transactions
    .list({ status: ['completed'], direction: 'inbound', limit: 100 })
    .toArray({ limit: searched })
  const [refundable] = completed
  const fallback = await firstOf(completed, async ({ payment_id }) => {
    const entries = await client.payments.timeline(payment_id)
    return entries.filter(({ kind }) => kind === 'attempt').length > 1
  })
  if (!refundable || !fallback) throw new Error('the seeds have no payment with a fallback')
  return {
    fallback: fallback.payment_id,
    refundable: refundable.payment_id,
    unknown: await startDoubtful(client),
    held: await holdPayout(client, database),
  }
}

/** The simulator never answers a call for a number that ends in 17. */
async function startDoubtful(client: Switchyard): Promise<string> {
  const phone = '256772000117'
  const { payment_id } = await client.payments.initiate({
    amount: '64000',
    target_amount: '64000',
    currency: 'UGX',
    target_currency: 'UGX',
    direction: 'payin',
    country: 'UG',
    payment_method: 'mobile_money',
    client_reference: 'instalment-12401',
    payer_details: { name: 'Grace Nakato', email: 'grace@example.com', phone },
    mobile_money_details: { provider: 'MTN', phone_number: phone },
  })
  const end = Date.now() + doubtPatienceMs
  while (Date.now() < end) {
    const entries = await client.payments.timeline(payment_id)
    if (entries.some(({ kind, data }) => kind === 'attempt' && data['state'] === 'unknown')) return payment_id
    await delay(doubtPollMs)
  }
  throw new Error('the outcome of the payment without an answer is known')
}

async function firstOf<Item>(
  items: readonly Item[],
  isWanted: (item: Item) => Promise<boolean>,
): Promise<Item | undefined> {
  for (const item of items) if (await isWanted(item)) return item
  return undefined
}
