import { describe, expect, it } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { addPerson, approveChange } from '../../../../test/app/people.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  kenyanPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayout,
} from '../../../../test/worlds/test-payments.ts'
import { createRoutingPolicySource } from './load-policy.ts'
import { paystackFirst, policies, priority, usePolicies } from './testing/use-policies.ts'

const world = usePolicies()
const { t } = world

/** Two administrators and a policy about payouts: then changes need a second person. */
async function underFourEyes(): Promise<void> {
  await addPerson(t, world.org.orgId, 'org-admin')
  await world.org.call('PUT', `/v1/organizations/${world.org.orgId}/approval-policies`, {
    policies: [{ currency: 'NGN', payout_from: 1_000_000 }],
  })
}

const takenOf = (considered: Json[]): string[] =>
  considered.filter(({ taken }) => taken).map(({ provider }) => provider)

describe('200', () => {
  it('a draft routes nothing; once it is published, the next payment follows it and says so', async () => {
    const version = await world.drafted(paystackFirst)
    expect((await world.org.initiate(kenyanPayin())).body.response.provider).toBe('pawapay')
    expect((await world.act(version, 'publish')).body.data).toMatchObject({ version, state: 'published' })
    const { body } = await world.org.initiate(kenyanPayin())
    expect(body.response.provider).toBe('paystack')
    const timeline = await world.org.call('GET', `/v1/payments/${body.response.payment_id}/timeline`)
    const routing = timeline.body.data.find(({ kind }: Json) => kind === 'routing')
    expect(routing.summary).toBe(
      `paystack, then pawapay. Rule “Kenya” of the organisation’s policy, version ${version} routed it by priority.`,
    )
    expect(routing.data.decision).toMatchObject({ policy: 'organization', version, rule: 'Kenya' })
    expect(takenOf(routing.data.considered)).toEqual(['paystack', 'pawapay'])
  })

  it('a preview explains the decision with the figures of each candidate', async () => {
    const shares = [
      { provider: 'paystack', percent: 100 },
      { provider: 'pawapay', percent: 0 },
    ]
    const version = await world.published({ rules: [], otherwise: { type: 'split', shares } })
    const { body } = await t.call('POST', '/v1/payments-init/preview', {
      as: world.org.credential,
      body: kenyanPayin(),
      unaudited: true,
    })
    expect(takenOf(body.data.considered)).toEqual(['paystack', 'pawapay'])
    expect(body.data.provider).toBe('paystack')
    expect(body.data.routing).toEqual({
      explanation: `No rule of the organisation’s policy, version ${version} matched, so it was routed by shares (paystack 100 %, pawapay 0 %).`,
      policy: 'organization',
      version,
      rule: null,
      strategy: 'split',
      is_exploration: false,
      cost_currency: 'KES',
    })
    const shown = body.data.considered.map(({ provider, figures }: Json) => [provider, figures])
    expect(Object.fromEntries(shown)).toEqual({
      paystack: { share_percent: 100 },
      pawapay: { share_percent: 0 },
    })
  })

  it('a payout follows the policy too', async () => {
    const beneficiary = await world.org.addBeneficiary(mobileMoneyBeneficiary())
    await world.published({
      rules: [{ name: 'Payouts', when: { direction: 'payout' }, strategy: priority }],
      otherwise: { type: 'cost' },
    })
    const { body } = await world.org.initiate(mobileMoneyPayout(beneficiary))
    const { rows } = await t.owner.query<{ routing: Json }>(
      'select routing from payments where payment_id = $1',
      [body.response.payment_id],
    )
    expect(rows[0]?.routing.decision).toMatchObject({ rule: 'Payouts', strategy: 'priority' })
  })

  it('a new draft discards the former one, and a publication supersedes the former version', async () => {
    await world.published(paystackFirst)
    await world.drafted(paystackFirst)
    await world.published({ ...paystackFirst, otherwise: { type: 'cost' } })
    expect(await world.list()).toEqual([
      [3, 'published'],
      [2, 'discarded'],
      [1, 'superseded'],
    ])
  })

  it('a version is stored in its canonical form and shown with its rules as sentences', async () => {
    const version = await world.drafted({
      rules: [{ name: ' Africa ', when: { country: ['NG', 'KE', 'NG'] }, strategy: { type: 'cost' } }],
      otherwise: priority,
      costs: [{ provider: 'paystack', percent: 1.5, fixed: 100, currency: 'NGN' }],
    })
    const { body } = await world.org.call('GET', `${policies}/${version}`)
    expect(body.data.document.rules[0]).toEqual({
      name: 'Africa',
      when: { country: ['KE', 'NG'] },
      strategy: { type: 'cost' },
    })
    expect(body.data.sentences).toEqual([
      'Africa: payments in KE or NG: to the cheapest.',
      'All other payments: by priority.',
    ])
  })

  it('a rollback publishes the earlier document as a new version', async () => {
    const first = await world.published(paystackFirst)
    await world.published({ rules: [], otherwise: priority })
    expect((await world.org.initiate(kenyanPayin())).body.response.provider).toBe('pawapay')
    const answer = await world.act(first, 'rollback')
    expect(answer.body.data).toMatchObject({ version: 3, state: 'published', restores: first })
    expect(answer.body.data.document).toEqual(paystackFirst)
    expect((await world.org.initiate(kenyanPayin())).body.response.provider).toBe('paystack')
  })

  it('a withdrawn policy gives way to the installation’s, and that to the priorities', async () => {
    const document = { ...paystackFirst, otherwise: { type: 'cost' } }
    const global = await world.drafted(document, world.operator)
    await world.act(global, 'publish', world.operator)
    await world.published({ rules: [], otherwise: priority })
    expect((await world.org.initiate(kenyanPayin())).body.response.provider).toBe('pawapay')
    expect((await world.org.call('POST', `${policies}/withdraw`, {})).body.data.state).toBe('superseded')
    expect((await world.org.initiate(kenyanPayin())).body.response.provider).toBe('paystack')
    const shown = await world.org.call('GET', `${policies}/${global}?org_id=installation`)
    expect(shown.body.data).toMatchObject({ org_id: null, state: 'published' })
    await t.call('POST', `${policies}/withdraw`, { as: world.operator, body: {} })
    expect((await world.org.initiate(kenyanPayin())).body.response.provider).toBe('pawapay')
  })

  it('the difference to the published version names each rule', async () => {
    await world.published({
      rules: [
        { name: 'A', when: { country: ['KE'] }, strategy: priority },
        { name: 'B', when: { country: ['NG'] }, strategy: priority },
        { name: 'C', when: { country: ['GH'] }, strategy: priority },
      ],
      otherwise: priority,
    })
    const version = await world.drafted({
      rules: [
        { name: 'C', when: { country: ['GH'] }, strategy: priority },
        { name: 'A', when: { country: ['KE'] }, strategy: { type: 'cost' } },
        { name: 'D', when: {}, strategy: priority },
      ],
      otherwise: { type: 'cost' },
    })
    const { body } = await world.org.call('GET', `${policies}/${version}/diff`)
    expect(body.data).toEqual({
      version,
      against: 1,
      changes: [
        { path: 'rules/B', change: 'removed', before: 'B: payments in NG: by priority.', after: null },
        { path: 'rules/C', change: 'moved', before: 'rule 3 of 3', after: 'rule 1 of 3' },
        {
          path: 'rules/A',
          change: 'changed',
          before: 'A: payments in KE: by priority.',
          after: 'A: payments in KE: to the cheapest.',
        },
        { path: 'rules/A', change: 'moved', before: 'rule 1 of 3', after: 'rule 2 of 3' },
        { path: 'rules/D', change: 'added', before: null, after: 'D: payments: by priority.' },
        { path: 'otherwise', change: 'changed', before: 'by priority', after: 'to the cheapest' },
      ],
    })
    expect((await world.org.call('GET', `${policies}/1/diff?against=1`)).body.data.changes).toEqual([])
  })

  it('another process follows a publication once its cache of a second has expired', async () => {
    const other = createRoutingPolicySource(t.deps.db)
    expect(await other.published(world.org.orgId)).toBeUndefined()
    const version = await world.published(paystackFirst)
    await expect
      .poll(() => other.published(world.org.orgId), { timeout: defaultWaitMs })
      .toMatchObject({ version })
  })
})

describe('202', () => {
  it('under four eyes a second person publishes exactly the version that was requested', async () => {
    await underFourEyes()
    const version = await world.drafted(paystackFirst)
    const held = await world.act(version, 'publish')
    expect([held.status, held.body.data.kind]).toEqual([202, 'routing-policy.publish'])
    expect(held.body.data.payload).toMatchObject({ version, replaces: null })
    expect((await world.org.initiate(kenyanPayin())).body.response.provider).toBe('pawapay')
    await approveChange(t, held)
    expect(await world.list()).toEqual([[version, 'published']])
    expect((await world.org.initiate(kenyanPayin())).body.response.provider).toBe('paystack')
  })

  it('a request is void once the draft or the published version has changed', async () => {
    await underFourEyes()
    const held = await world.act(await world.drafted(paystackFirst), 'publish')
    const other = await world.act(await world.drafted({ rules: [], otherwise: priority }), 'publish')
    await expect(approveChange(t, held)).rejects.toThrow('is not a draft')
    await approveChange(t, other)
    const withdrawal = await world.org.call('POST', `${policies}/withdraw`, {})
    expect(withdrawal.status).toBe(202)
    await approveChange(t, await world.act(await world.drafted(paystackFirst), 'publish'))
    await expect(approveChange(t, withdrawal)).rejects.toThrow('has changed since')
  })
})
