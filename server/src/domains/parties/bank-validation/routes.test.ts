import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  memberOf,
  startTestApp,
  type CallAnswer,
  type Json,
  type TestApp,
} from '../../../../test/app/test-app.ts'
import { weightRows } from '../../../../test/worlds/modulus-cases.ts'

const path = '/v1/payments/bank-validation/validate-uk-account'
let t: TestApp
let bare: TestApp
beforeAll(async () => {
  ;[t, bare] = await Promise.all([
    startTestApp({ env: { UK_MODULUS_WEIGHTS: weightRows, UK_MODULUS_SUBSTITUTIONS: '938173 938017' } }),
    startTestApp(),
  ])
})
afterAll(() => Promise.all([t.close(), bare.close()]))

const validate = (body: Json, query = '', app = t): Promise<CallAnswer> =>
  app.call('POST', `${path}${query}`, {
    as: memberOf(app.seed.orgs[0], 'viewer').api_key,
    body,
    unaudited: true,
  })
const details = async (sortCode: string, accountNumber: string, query = '', app = t): Promise<Json> => {
  const { status, body } = await validate({ sortCode, accountNumber }, query, app)
  expect(status).toBe(200)
  expect(body.success).toBe(body.accountDetails.validated)
  return body.accountDetails
}

describe('200', () => {
  it('a well-formed account', async () => {
    expect((await validate({ sortCode: '12-34-56', accountNumber: '12345678' })).body).toEqual({
      success: true,
      accountDetails: {
        sortCode: '12-34-56',
        accountNumber: '12345678',
        validated: true,
        message: 'The format is valid.',
      },
    })
  })

  it.each([
    ['123456', '00123456'],
    ['1234567', '01234567'],
  ])('%s is padded, and the message says so', async (given, padded) => {
    expect(await details('12-34-56', given)).toMatchObject({
      accountNumber: padded,
      validated: true,
      message: `The format is valid. The account number was padded with zeros to ${padded}.`,
    })
  })

  it.each([
    ['123456', '12345678', 'sortCode must have dashes: 12-34-56 instead of 123456.'],
    ['12 34 56', '12345678', 'sortCode must be three pairs of digits with dashes between them'],
    ['12-34-5', '12345678', 'sortCode must be three pairs'],
    ['', '12345678', 'sortCode must be three pairs'],
    ['12-34-56', '12345', 'accountNumber must have 8 digits (6 or 7 are padded with zeros); it has 5.'],
    ['12-34-56', '123456789', 'it has 9.'],
    ['12-34-56', '1234 678', 'accountNumber must be digits only.'],
    ['12-34-56', '', 'accountNumber must be digits only.'],
  ])('%j and %j: the message tells exactly what is wrong', async (sortCode, accountNumber, message) => {
    const answer = await details(sortCode, accountNumber)
    expect(answer).toEqual({
      sortCode,
      accountNumber,
      validated: false,
      message: expect.stringContaining(message),
    })
  })

  it('two mistakes are reported together', async () => {
    const { message } = await details('x', 'y')
    expect(message).toMatch(/sortCode must be .* accountNumber must be/)
  })

  it('the modulus is checked only on request', async () => {
    expect(await details('08-99-99', '66374959')).toMatchObject({ validated: true })
    expect(await details('08-99-99', '66374959', '?modulus=false')).toMatchObject({ validated: true })
    expect(await details('08-99-99', '66374959', '?modulus=true')).toMatchObject({
      validated: false,
      message: 'accountNumber cannot belong to sortCode: the modulus does not check.',
    })
    expect(await details('08-99-99', '66374958', '?modulus=true')).toMatchObject({
      validated: true,
      message: 'The format is valid and the modulus checks.',
    })
  })

  it('a sort code without a modulus rule is presumed valid', async () => {
    const { validated, message } = await details('99-99-99', '12345678', '?modulus=true')
    expect([validated, message]).toEqual([true, expect.stringContaining('No modulus is defined')])
  })

  it('without a weight table the answer says that the modulus was not checked', async () => {
    const { validated, message } = await details('08-99-99', '66374959', '?modulus=true', bare)
    expect([validated, message]).toEqual([true, expect.stringContaining('has no weight table')])
  })
})

describe('400', () => {
  it.each([
    {},
    { sortCode: '12-34-56' },
    { accountNumber: '12345678' },
    { sortCode: 123456, accountNumber: '12345678' },
    { sortCode: '12-34-56', accountNumber: 12345678 },
    { sortCode: null, accountNumber: '12345678' },
  ])('%j', async (body) => {
    expect((await validate(body)).status).toBe(400)
  })
  it('a modulus that is neither true nor false', async () => {
    expect(
      (await validate({ sortCode: '12-34-56', accountNumber: '12345678' }, '?modulus=maybe')).status,
    ).toBe(400)
  })
})

describe('401', () => {
  it('without credentials', async () => {
    const body = { sortCode: '12-34-56', accountNumber: '12345678' }
    expect((await t.call('POST', path, { body })).status).toBe(401)
  })
})
