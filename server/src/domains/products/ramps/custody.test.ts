import { expect, it } from 'vitest'
import { onRampBody, openRamps, useRamps } from '../../../../test/worlds/test-ramps.ts'

const t = useRamps()
const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

it('fiat that an organisation collects at its own account is never delivered by the operator’s wallet', async () => {
  const org = await openRamps(t)
  await org.configure('hybrid', 'UG')
  const api_token = `own-${org.orgId}`
  t.simulator.configure('pawapay', { account: org.orgId, secrets: { api_token } })
  await org.ownAccount('pawapay', { apiToken: api_token, baseUrl: `${t.simulator.url}/pawapay` })
  const body = onRampBody({ client_rate: await org.rate('UGX', 'USDC'), wallet_address: wallet })
  const answer = await org.ramp(body)
  expect(answer.status).toBe(200)
  const { rows } = await t.owner.query(
    `select l.custody, a.org_id from ramp_legs l join provider_accounts a on a.account_id = l.account_id
     where l.payment_id = $1`,
    [answer.body.response.payment_id],
  )
  expect(rows).toEqual([{ custody: 'pooled', org_id: '00000000-0000-0000-0000-000000000000' }])
})

it('with its own accounts only, the organisation has no ramp by the operator’s wallet', async () => {
  const org = await openRamps(t)
  const api_token = `own-${org.orgId}`
  t.simulator.configure('pawapay', { account: org.orgId, secrets: { api_token } })
  await org.ownAccount('pawapay', { apiToken: api_token, baseUrl: `${t.simulator.url}/pawapay` })
  await org.call('PATCH', `/v1/organizations/${org.orgId}`, { own_accounts_only: true })
  t.deps.corridors.invalidate()
  const body = onRampBody({ client_rate: await org.rate('UGX', 'USDC'), wallet_address: wallet })
  const answer = await org.ramp(body)
  expect([answer.status, answer.body.code]).toEqual([422, 'ROUTING_CONFIG_NOT_FOUND'])
})
