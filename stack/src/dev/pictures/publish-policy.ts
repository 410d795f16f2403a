import { Switchyard, type RoutingPoliciesDraftBody } from '@switchyard/sdk'
import type { DevFile } from '../connection-file.ts'

type Rule = RoutingPoliciesDraftBody['document']['rules'][number]

const kenya: Rule = {
  name: 'Mobile money in Kenya',
  when: { direction: 'payin', method: ['mobile_money'], country: ['KE'] },
  strategy: {
    type: 'split',
    shares: [
      { provider: 'pawapay', percent: 80 },
      { provider: 'paystack', percent: 20 },
    ],
  },
}
const nigeria: Rule = {
  name: 'Cards in Nigeria',
  when: { direction: 'payin', method: ['card'], country: ['NG'] },
  strategy: { type: 'priority', order: [{ provider: 'paystack' }, { provider: 'flutterwave' }] },
}
const large: Rule = {
  name: 'Large payouts',
  when: { direction: 'payout', amount: { currency: 'NGN', min: 500_000 } },
  strategy: { type: 'success_rate', exploration_percent: 5, daily_limit: 50, hysteresis_percent: 2 },
}

/** Publishes a policy, which a second administrator approves, and leaves a draft that changes it. */
export async function publishPolicy({ api, orgs: [org] }: DevFile): Promise<void> {
  const [author, second] = (org?.members ?? [])
    .filter(({ role }) => role === 'org-admin')
    .map(({ api_key: apiKey }) => new Switchyard({ baseUrl: new URL(api).origin, apiKey }))
  if (!org || !author || !second) throw new Error('the seeds have no two administrators')
  const draft = async (rules: Rule[], note: string): Promise<string> => {
    const written = await author.routingPolicies.draft({
      document: { rules, otherwise: { type: 'cost' } },
      note,
    })
    return String(written.version)
  }
  const held = await author.routingPolicies.publish(await draft([kenya, nigeria], 'Kenya by share'))
  if ('request_id' in held) await second.changeRequests.approve(org.org_id, held.request_id)
  await draft([kenya, large, nigeria], 'Large payouts go where most succeed')
}
