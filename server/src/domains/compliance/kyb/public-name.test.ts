import { beforeEach, describe, expect, it } from 'vitest'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { kybOf, type OrgKyb } from '../../../../test/worlds/test-kyb.ts'
import { cardForm, newPayer, openLinks, type OrgLinks } from '../../../../test/worlds/test-links.ts'
import { untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
const newName = 'Central Bank Refunds'
/** Verified as Kilimani Books in the United Kingdom. */
let org: OrgLinks
let kyb: OrgKyb
let customerId: string
beforeEach(async () => {
  org = await openLinks(t)
  kyb = kybOf(t, org)
  await t.owner.query(`update organizations set kyb_status = 'not_started' where org_id = $1`, [org.orgId])
  customerId = (await kyb.initiate()).body.data.kyb_customer_id
  await approve('2031-01-01 00:00:00.000')
})

const approve = (at: string): Promise<number> => kyb.send({ customerId, at })
const change = (body: Json): Promise<CallAnswer> => org.call('PATCH', `/v1/organizations/${org.orgId}`, body)
const shown = async (): Promise<[string, boolean]> => {
  const { public_name, is_verification_outdated } = await kyb.organization()
  return [public_name, is_verification_outdated]
}

describe('a verified organisation that changes its name', () => {
  it('is called as before on the payment page and in invitations', async () => {
    const link = await org.make()
    expect((await change({ name: newName })).body.data).toMatchObject({
      name: newName,
      public_name: org.name,
      is_verification_outdated: true,
      kyb_status: 'approved',
    })
    const payer = newPayer(link)
    const pages = [await payer.get(), await payer.send(cardForm()), await payer.get('?lang=fr')]
    for (const { text } of pages) expect(text).not.toContain(newName)
    expect(pages[0]?.text).toContain(org.name)
    const invited = { email: `${org.orgId}@example.test`, role: 'viewer' }
    expect((await org.call('POST', `/v1/organizations/${org.orgId}/invitations`, invited)).status).toBe(201)
    const { rows } = await t.owner.query<{ variables: Json }>(
      `select variables from notifications where org_id = $1 and template = 'member-invited'`,
      [org.orgId],
    )
    expect(rows.map(({ variables }) => variables['orgName'])).toEqual([org.name])
  })

  it('is called by the new name once that is verified', async () => {
    await change({ name: newName })
    const again = await kyb.initiate()
    expect([again.status, again.body.data.kyb_status]).toEqual([200, 'pending'])
    expect(await shown()).toEqual([org.name, true])
    await approve('2031-02-01 00:00:00.000')
    expect(await shown()).toEqual([newName, false])
  })

  it('is not called by a name that it took while another one was verified', async () => {
    await change({ name: 'Kilimani Stationery' })
    await kyb.initiate()
    await change({ name: newName })
    await approve('2031-02-01 00:00:00.000')
    expect(await shown()).toEqual(['Kilimani Stationery', true])
  })

  it('does not get the new name by an approval of the old one that comes again', async () => {
    await change({ name: newName })
    await approve('2031-02-01 00:00:00.000')
    expect(await shown()).toEqual([org.name, true])
  })

  it('keeps the old name if the new one is rejected', async () => {
    await change({ name: newName })
    await kyb.initiate()
    await kyb.send({ customerId, answer: 'RED', rejectType: 'RETRY', at: '2031-02-01 00:00:00.000' })
    await change({ name: 'Another Name' })
    expect(await shown()).toEqual([org.name, true])
  })

  it('has nothing to verify after it took the old name again', async () => {
    await change({ name: newName })
    await change({ name: org.name })
    expect(await shown()).toEqual([org.name, false])
    expect((await kyb.initiate()).status).toBe(409)
  })
})

it('a verified organisation that changes its country has to be verified again', async () => {
  await change({ country: 'KE' })
  expect(await shown()).toEqual([org.name, true])
  await change({ name: newName })
  expect(await shown()).toEqual([org.name, true])
  expect((await kyb.initiate()).status).toBe(200)
})

it('an organisation that was never verified is called what it calls itself', async () => {
  await t.owner.query(
    `update organizations set kyb_status = 'not_started', kyb_name = null where org_id = $1`,
    [org.orgId],
  )
  await change({ name: newName })
  expect(await shown()).toEqual([newName, false])
})
