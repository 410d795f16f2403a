import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  mobileMoneyBeneficiary,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { compareNames } from './rules.ts'

const path = '/v1/beneficiaries'
const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const create = (body: Json, as = org.credential): Promise<CallAnswer> => t.call('POST', path, { as, body })

describe('200, seen by whoever may not see account numbers', () => {
  it('a beneficiary is masked as in the list', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const made = (await create(bankBeneficiary({ phone_number: '08031234567' }))).body.data
    const read = await t.call('GET', `${path}/${made.beneficiary_id}`, { as: viewer.token })
    expect(read.body.data.bank_details.account_number).toBe('******0049')
    expect(read.text).not.toMatch(/0690000049|08031234567/)
  })

  it('unless they have the permission', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const made = (await create(bankBeneficiary())).body.data
    const granted = await org.call(
      'POST',
      `/v1/organizations/${org.orgId}/members/${viewer.userId}/permissions`,
      { permissions: ['personal-data:read'] },
    )
    expect(granted.status).toBe(200)
    const read = await t.call('GET', `${path}/${made.beneficiary_id}`, { as: viewer.token })
    expect(read.body.data).toEqual(made)
  })
})

describe('200, changed', () => {
  it('changes the given fields only; the audit log shows before and after, masked', async () => {
    const made = (await create(bankBeneficiary())).body.data
    const answer = await org.call('PATCH', `${path}/${made.beneficiary_id}`, {
      lname: 'Okafor',
      email: null,
      bank_details: { account_number: '0123456785', bank_code: '058' },
    })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      ...made,
      lname: 'Okafor',
      email: '',
      bank_details: { account_number: '0123456785', bank_code: '058' },
      updated_at: expect.any(String),
    })
    const read = await org.call('GET', `${path}/${made.beneficiary_id}`)
    expect(read.body.data).toEqual(answer.body.data)
    const { rows } = await t.owner.query(
      `select before, after from audit_log where org_id = $1 and action = 'beneficiary.update'`,
      [org.orgId],
    )
    expect(rows[0].before.bank_details.account_number).toBe('******0049')
    expect(rows[0].after.bank_details.account_number).toBe('******6785')
  })

  it('the account type, with what it needs', async () => {
    const { beneficiary_id } = (await create(bankBeneficiary())).body.data
    const answer = await org.call('PATCH', `${path}/${beneficiary_id}`, {
      account_type: 'mobile_money',
      country: 'UG',
      currency: 'UGX',
      bank_details: null,
      momo_details: { provider: 'MTN', phone_number: '0783456789' },
    })
    expect(answer.body.data).toMatchObject({
      account_type: 'mobile_money',
      country: 'UG',
      bank_details: {},
    })
  })

  it('a payment in progress keeps the account that it was started with', async () => {
    const id = await org.addBeneficiary(bankBeneficiary())
    const payment = await org.start(bankPayout(id))
    const bank_details = { account_number: '0123456785', bank_code: '058' }
    expect((await org.call('PATCH', `${path}/${id}`, { bank_details })).status).toBe(200)
    expect((await org.record(payment)).bank_account.account_number).toBe('0690000049')
  })
})

describe('204', () => {
  it('deletes a beneficiary without payments', async () => {
    const { beneficiary_id } = (await create(bankBeneficiary())).body.data
    expect((await org.call('DELETE', `${path}/${beneficiary_id}`)).status).toBe(204)
    expect((await org.call('GET', `${path}/${beneficiary_id}`)).status).toBe(404)
    expect((await org.initiate(bankPayout(beneficiary_id))).status).toBe(400)
  })

  it('deletes a beneficiary whose payment has ended', async () => {
    const id = await org.addBeneficiary(bankBeneficiary())
    const payment = await org.start(bankPayout(id, { amount: 30, target_amount: 30 }))
    await t.simulator.settle({ all: true })
    expect((await org.record(payment)).status).toBe('completed')
    expect((await org.call('DELETE', `${path}/${id}`)).status).toBe(204)
  })
})

describe('201, with the name checked', () => {
  const checked = (body: Json): Promise<CallAnswer> =>
    t.call('POST', `${path}?verify_name=true`, { as: org.credential, body })

  it.each([
    ['Sandbox', 'Holder', 'matched'],
    ['SÁNDBOX', 'Eze', 'partial'],
    ['Ngozi', 'Eze', 'mismatched'],
  ])('%s %s: the bank’s name beside ours, %s', async (fname, lname, status) => {
    const answer = await checked(bankBeneficiary({ fname, lname }))
    expect(answer.status).toBe(201)
    expect(answer.body.data.name_check).toEqual({
      status,
      account_name: 'SANDBOX HOLDER 0049',
      provider: 'paystack',
    })
  })

  it('unavailable if no provider can resolve names, or while the only one is down', async () => {
    const unavailable = { status: 'unavailable', account_name: null }
    const momo = await checked(mobileMoneyBeneficiary())
    expect(momo.body.data.name_check).toEqual({ ...unavailable, provider: null })
    t.simulator.setFaults('paystack', [{ on: 'list', fault: 'down', times: 1 }])
    const down = await checked(bankBeneficiary())
    expect(down.body.data.name_check).toEqual({ ...unavailable, provider: 'paystack' })
  })

  it('the answer is not stored', async () => {
    const { beneficiary_id } = (await checked(bankBeneficiary())).body.data
    expect((await org.call('GET', `${path}/${beneficiary_id}`)).body.data).not.toHaveProperty('name_check')
  })
})

describe('409', () => {
  it('a beneficiary of an open payment', async () => {
    const id = await org.addBeneficiary(bankBeneficiary())
    await org.start(bankPayout(id, { amount: 20.13, target_amount: 20.13 }))
    const answer = await org.call('DELETE', `${path}/${id}`)
    expect(answer.status).toBe(409)
    expect(answer.body.message).toContain('still open')
    expect((await org.call('GET', `${path}/${id}`)).status).toBe(200)
  })

  it('of a concurrent payment and deletion only one succeeds', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await org.addBeneficiary(bankBeneficiary())
      const [payment, deletion] = await Promise.all([
        org.initiate(bankPayout(id)),
        org.call('DELETE', `${path}/${id}`),
      ])
      expect(['200 409', '400 204']).toContain(`${payment.status} ${deletion.status}`)
    }
  })
})

describe('compareNames', () => {
  it.each([
    ['Ngozi Eze', 'EZE NGOZI CHIDINMA', 'matched'],
    ['Zoë O’Neill', 'ONEILL ZOE', 'partial'],
    ['Zoë Müller', 'MULLER ZOE', 'matched'],
    ['Ann', 'Joanna', 'mismatched'],
  ])('%s and %s: %s', (given, held, match) => {
    expect(compareNames(given, held)).toBe(match)
  })
})
