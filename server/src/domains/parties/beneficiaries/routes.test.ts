import { beforeEach, describe, expect, it } from 'vitest'
import { mask } from '../../../lib/text/masking.ts'
import { toE164 } from '../../../lib/instruments/phone.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  mobileMoneyBeneficiary,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const path = '/v1/beneficiaries'
const nameChecks = 20
const t = usePayments({ delayMs: untilSettled, env: { NAME_CHECKS_PER_DAY: String(nameChecks) } })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const create = (body: Json, as = org.credential): Promise<CallAnswer> => t.call('POST', path, { as, body })
const list = async (query = ''): Promise<Json> => (await org.call('GET', `${path}${query}`)).body

describe('201', () => {
  it('a bank account: every field of the spec, as it was given', async () => {
    const bank_details = {
      account_name: 'Ngozi Eze',
      account_number: '0690000049',
      bank_name: 'Access Bank',
      bank_code: '044',
      sort_code: '20-00-00',
      iban: 'GB33BUKB20201555555555',
      swift_code: 'BUKBGB22',
      country: 'NG',
    }
    const answer = await create(
      bankBeneficiary({ bank_details, phone_number: '08031234567', external_account_id: 'ext-7' }),
    )
    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({
      beneficiary_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      account_type: 'bank',
      beneficiary_of: expect.any(String),
      beneficiary_type: 'individual',
      country: 'NG',
      currency: 'NGN',
      fname: 'Ngozi',
      lname: 'Eze',
      email: 'ngozi@example.com',
      phone_number: '08031234567',
      momo_details: {},
      bank_details,
      loan_client_details: {},
      external_account_id: 'ext-7',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
  })

  it('a loan client with mobile money', async () => {
    const loan_client_details = { loan_id: 'L-7', product: 'Asset', branch: 'Kampala' }
    const { data } = (
      await create(mobileMoneyBeneficiary({ beneficiary_type: 'loan_client', loan_client_details }))
    ).body
    expect(data).toMatchObject({
      account_type: 'mobile_money',
      beneficiary_type: 'loan_client',
      momo_details: { provider: 'MTN', phone_number: '256783456789' },
      loan_client_details,
      bank_details: {},
    })
  })

  it('belongs to the caller unless created for another user', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    expect((await create(bankBeneficiary(), staff.token)).body.data.beneficiary_of).toBe(staff.userId)
    const made = await create(bankBeneficiary({ user_id: staff.userId }))
    expect(made.body.data.beneficiary_of).toBe(staff.userId)
  })

  it('no table holds the number, name, email or phone in clear text', async () => {
    const canaries = ['7730194420', 'Canarella', 'canary.bird@example.com', '256770019942']
    const [account_number, lname, email, phone_number] = canaries
    await create(
      bankBeneficiary({ lname, email, phone_number, bank_details: { account_number, bank_name: 'X' } }),
    )
    await create(mobileMoneyBeneficiary({ lname, momo_details: { provider: 'MTN', phone_number } }))
    const { rows } = await t.owner.query<{ name: string }>(
      `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
    )
    for (const { name } of rows)
      for (const canary of canaries) {
        const hex = Buffer.from(canary).toString('hex')
        const { rowCount } = await t.owner.query(
          `select from ${name} as line where line::text like $1 or line::text like $2`,
          [`%${canary}%`, `%${hex}%`],
        )
        expect([name, canary, rowCount]).toEqual([name, canary, 0])
      }
    expect((await list()).data).toHaveLength(2)
  })
})

describe('200', () => {
  it('reads one beneficiary in full', async () => {
    const made = (await create(bankBeneficiary())).body.data
    const read = await org.call('GET', `${path}/${made.beneficiary_id}`)
    expect(read.body.data).toEqual(made)
  })

  it('in the list account and phone numbers are masked', async () => {
    const bank_details = { account_number: '0690000049', iban: 'GB33BUKB20201555555555', bank_code: '044' }
    await create(bankBeneficiary({ bank_details, phone_number: '08031234567' }))
    await create(mobileMoneyBeneficiary())
    const answer = await org.call('GET', path)
    const bank = answer.body.data.find((row: Json) => row.account_type === 'bank')
    const mobile = answer.body.data.find((row: Json) => row.account_type === 'mobile_money')
    expect(bank).toMatchObject({
      bank_details: { account_number: '******0049', iban: '******************5555', bank_code: '044' },
      phone_number: '*******4567',
    })
    expect(mobile.momo_details).toEqual({ provider: 'MTN', phone_number: '********6789' })
    expect(answer.text).not.toMatch(/0690000049|GB33BUKB|256783456789/)
  })

  it('pages list each once, newest first, ten per page by default', async () => {
    for (let index = 0; index < 12; index++) await create(bankBeneficiary({ lname: `Number ${index}` }))
    const first = await list()
    expect(first.meta).toEqual({ count: 10, last_evaluated_key: expect.any(String) })
    const rest = await list(`?last_evaluated_key=${encodeURIComponent(first.meta.last_evaluated_key)}`)
    expect(rest.meta).toEqual({ count: 2, last_evaluated_key: null })
    const names = [...first.data, ...rest.data].map((row: Json) => row.lname)
    expect(new Set(names).size).toBe(12)
    expect((await list('?limit=3')).data).toHaveLength(3)
  })

  it('filters by user', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    await create(bankBeneficiary())
    await create(bankBeneficiary({ lname: 'Mine' }), staff.token)
    const { data } = await list(`?user_id=${staff.userId}`)
    expect(data.map((row: Json) => row.lname)).toEqual(['Mine'])
    expect((await list('?user_id=nobody')).data).toEqual([])
  })

  it('does not list another organisation’s', async () => {
    const stranger = await openPayments(t)
    await create(bankBeneficiary(), stranger.credential)
    expect((await list()).data).toEqual([])
  })
})

describe('429', () => {
  it('more account holders than an organisation may look up within a day; without the check it may go on', async () => {
    const other = await openPayments(t)
    const spent = `insert into name_check_budgets (org_id, window_started_at, checks) values ($1, $2, $3)`
    await t.owner.query(spent, [org.orgId, new Date(Date.now() - 60 * 60_000), nameChecks - 1])
    const check = (as = org.credential): Promise<CallAnswer> =>
      t.call('POST', `${path}?verify_name=true`, { as, body: bankBeneficiary() })
    const answers = await Promise.all([check(), check(), check()])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 429, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('Leave out'),
    })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(22 * 3_600)
    expect((await create(bankBeneficiary())).status).toBe(201)
    expect((await check(other.credential)).status).toBe(201)
    await t.owner.query(`update name_check_budgets set window_started_at = now() - interval '1 day'`)
    expect((await check()).status).toBe(201)
  })
})

describe('400', () => {
  it('an account that the bank does not know, with verify_name', async () => {
    // The check digit of bank 044 and serial 069000072 is 6; the ending 26 means an unknown account in the sandbox.
    const body = bankBeneficiary({ bank_details: { account_number: '0690000726', bank_code: '044' } })
    const answer = await t.call('POST', `${path}?verify_name=true`, { as: org.credential, body })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('The bank has no such account')
  })

  it.each([
    [{ account_number: '0690000040', bank_code: '044' }, 'bank_details.account_number'],
    [{ account_number: '069000004', bank_code: '044' }, 'bank_details.account_number'],
    [{ account_number: '1234567890', country: 'GB' }, 'bank_details.account_number'],
    [{ account_number: '12345678', country: 'GB', sort_code: '12-3456' }, 'bank_details.sort_code'],
    [{ iban: 'GB34BUKB20201555555555' }, 'bank_details.iban'],
    [{ iban: 'GB33BUKB20201555555555', swift_code: 'BUKB' }, 'bank_details.swift_code'],
  ])('%j names the field', async (bank_details, field) => {
    const answer = await create(bankBeneficiary({ bank_details }))
    expect(answer.status).toBe(400)
    expect(answer.body.details.map(({ path: where }: Json) => where)).toEqual([field])
  })

  it('a change that would make the account unpayable', async () => {
    const { beneficiary_id } = (await create(bankBeneficiary())).body.data
    for (const change of [
      { bank_details: null },
      { account_type: 'mobile_money' },
      { phone_number: '000000000' },
      { bank_details: { account_number: '0690000040', bank_code: '044' } },
    ]) {
      const answer = await org.call('PATCH', `${path}/${beneficiary_id}`, change)
      expect([answer.status, answer.body.details?.length]).toEqual([400, 1])
    }
  })

  it.each([
    { account_type: 'cheque' },
    { beneficiary_type: 'friend' },
    { country: 'Nigeria' },
    { currency: 'XYZ' },
    { fname: '' },
    { lname: undefined },
    { email: 'nobody' },
    { bank_details: null },
    { bank_details: { bank_name: 'Access Bank' } },
    { account_type: 'mobile_money' },
    { account_type: 'mobile_money', momo_details: { provider: 'MTN', phone_number: 'nobody' } },
  ])('%j', async (change) => {
    const answer = await create(bankBeneficiary(change))
    expect([answer.status, answer.body.status]).toEqual([400, 'error'])
  })

  it.each(['?limit=0', '?limit=101', '?last_evaluated_key=abc'])('%s', async (query) => {
    expect((await org.call('GET', `${path}${query}`)).status).toBe(400)
  })
})

describe('403', () => {
  it('a viewer may read but not create', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    expect((await create(bankBeneficiary(), viewer.token)).status).toBe(403)
    expect((await t.call('GET', path, { as: viewer.token })).status).toBe(200)
  })
})

describe('404', () => {
  it('changing or deleting an unknown one, or another organisation’s', async () => {
    const { beneficiary_id } = (await create(bankBeneficiary())).body.data
    const stranger = await openPayments(t)
    for (const id of [beneficiary_id, '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f']) {
      expect((await stranger.call('PATCH', `${path}/${id}`, { lname: 'Mine' })).status).toBe(404)
      expect((await stranger.call('DELETE', `${path}/${id}`)).status).toBe(404)
    }
  })

  it('an unknown id, and one of another organisation', async () => {
    const { beneficiary_id } = (await create(bankBeneficiary())).body.data
    const stranger = await openPayments(t)
    expect((await stranger.call('GET', `${path}/${beneficiary_id}`)).status).toBe(404)
    expect((await org.call('GET', `${path}/0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f`)).status).toBe(404)
  })
})

describe('mask', () => {
  it.each([
    ['0690000049', '******0049'],
    ['12345', '*2345'],
    ['1234', '****'],
    ['1', '*'],
    ['', ''],
  ])('%s becomes %s', (text, masked) => {
    expect(mask(text)).toBe(masked)
  })
})

describe('toE164', () => {
  it.each([
    ['0783456789', 'UG', '+256783456789'],
    ['256783456789', 'UG', '+256783456789'],
    ['+256 783-456-789', 'UG', '+256783456789'],
    ['+254708663158', 'UG', '+254708663158'],
    ['08031234567', 'NG', '+2348031234567'],
    ['12', 'NG', undefined],
    ['nobody', 'NG', undefined],
    ['', 'NG', undefined],
  ])('%s in %s is %s', (text, country, number) => {
    expect(toE164(text, country)).toBe(number)
  })
})
