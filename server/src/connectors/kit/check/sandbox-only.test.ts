import { describe, expect, test } from 'vitest'
import type { HttpClient } from '../http-client.ts'
import { guardHttp, liveKeyOf, redactor } from './sandbox-only.ts'

describe('hosts that a check may call', () => {
  const sandbox = { hosts: ['api.sandbox.example'] }
  const answer: HttpClient = async () => ({ kind: 'answered', status: 200, headers: {}, body: '{}' })

  test.each([
    ['https://api.sandbox.example/v1', true],
    ['http://127.0.0.1:8080/example', true],
    ['http://[::1]:8080/example', true],
    ['https://api.example/v1', false],
    ['https://api.sandbox.example.evil.test/v1', false],
    ['https://127.0.0.1.evil.test/v1', false],
    ['https://api.sandbox.example@api.example/v1', false],
  ])('%s: %s', async (url, isCalled) => {
    const guard = guardHttp(sandbox, answer)
    const result = await guard.http({ method: 'GET', url })
    expect(result.kind).toBe(isCalled ? 'answered' : 'not_sent')
    expect(guard.refusedHosts.size).toBe(isCalled ? 0 : 1)
  })

  test('a key without the prefix of a test key counts as live, and so does a missing key', () => {
    const withKeys = { ...sandbox, keys: { secretKey: ['sk_test_', 'rk_test_'] } }
    expect(liveKeyOf(withKeys, { secretKey: 'rk_test_1' })).toBeUndefined()
    expect(liveKeyOf(withKeys, { secretKey: 'sk_live_1' })).toBe(
      'secretKey does not begin with sk_test_ or rk_test_',
    )
    expect(liveKeyOf(withKeys, {})).toBeDefined()
    expect(liveKeyOf(sandbox, {})).toBeUndefined()
  })
})

test('a redacted line contains no credential, however deeply it was nested', () => {
  const credentials = {
    secretKey: 'sk_test_abcdef',
    nested: { password: 'opensesame', hmacKeys: ['0123456789abcdef'] },
    baseUrl: 'https://api.sandbox.example',
  }
  const line = redactor(credentials)(
    'key sk_test_abcdef,\n opensesame, 0123456789abcdef at https://api.sandbox.example',
  )
  expect(line).toBe('key ***, ***, *** at https://api.sandbox.example')
})
