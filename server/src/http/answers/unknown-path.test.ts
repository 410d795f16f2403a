import { describe, expect, it } from 'vitest'
import { useApp } from '../../../test/app/test-app.ts'

const t = useApp()

describe('302', () => {
  it('the root leads to the reference page', async () => {
    const answer = await t.call('GET', '/')
    expect([answer.status, answer.headers['location']]).toEqual([302, '/docs'])
  })
})

describe('404', () => {
  it.each([
    ['/v1/beneficiarys', '/v1/beneficiaries'],
    ['/v1/payments/0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f/timelin', '/v1/payments/{payment_id}/timeline'],
    ['/v1/payment-init/initiate', '/v1/payments-init/initiate'],
    ['/beneficiaries', '/v1/beneficiaries'],
    ['/v1/users/mee', '/v1/users/me'],
  ])('%s does not exist; %s is the nearest path', async (path, near) => {
    const { status, body } = await t.call('GET', path)
    expect([status, body.code, body.message]).toEqual([
      404,
      'NOT_FOUND',
      `This path does not exist. Did you mean ${near}?`,
    ])
  })

  it('a path that resembles none is referred to the reference', async () => {
    const { body } = await t.call('GET', '/wp-login.php')
    expect(body.message).toBe('This path does not exist. The reference at /docs lists every path.')
  })
})

describe('405', () => {
  it.each([
    ['DELETE', '/v1/payments-init/initiate', ['POST']],
    ['PUT', '/v1/public/webhooks', ['GET', 'POST']],
    ['POST', '/v1/payments/0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f', ['GET']],
  ])('%s %s names the methods of the path', async (method, path, methods) => {
    const { status, headers, body } = await t.call(method, path, { body: {} })
    expect([status, body.code, headers['allow']]).toEqual([405, 'METHOD_NOT_ALLOWED', methods.join(', ')])
    expect(body.message).toBe(`This path has no method ${method}. It has ${methods.join(' and ')}.`)
  })
})
