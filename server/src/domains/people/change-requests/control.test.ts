import { describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { openPayments, usePayments } from '../../../../test/worlds/test-payments.ts'

const t = usePayments()

describe('200: an organisation with one administrator', () => {
  it('may switch it off, which the audit log and the operator see, until there is a second one', async () => {
    const single = await openPayments(t)
    const path = (rest: string): string => `/v1/organizations/${single.orgId}/${rest}`
    const put = (payout_from: number): Promise<CallAnswer> =>
      single.call('PUT', path('approval-policies'), { policies: [{ currency: 'NGN', payout_from }] })
    expect((await put(1000)).status).toBe(200)
    expect((await put(2000)).status).toBe(202)
    expect((await single.call('PUT', path('change-control'), { enabled: false })).status).toBe(200)
    expect((await put(2000)).status).toBe(200)
    const audit = (await single.call('GET', path('audit-log'))).body.data
    expect(audit.map(({ action }: Json) => action)).toContain('change-control.set')
    const exceptions = await t.call('GET', '/v1/payments/exceptions?kind=change_control_off&limit=100', {
      as: t.seed.platformAdmin.api_key,
    })
    expect(exceptions.body.data.map(({ summary }: Json) => summary).join()).toContain(single.orgId)
    expect(await single.exceptions('&kind=change_control_off')).toEqual([])
    await addPerson(t, single.orgId, 'org-admin')
    expect((await put(3000)).status).toBe(202)
  })
})

describe('403', () => {
  it('staff do not switch it', async () => {
    const { orgId } = await openPayments(t)
    const { token } = await addPerson(t, orgId, 'staff')
    const path = `/v1/organizations/${orgId}/change-control`
    expect((await t.call('PUT', path, { as: token, body: { enabled: false } })).status).toBe(403)
    expect((await t.call('GET', path, { as: token })).body.data).toEqual({ enabled: true })
  })
})
