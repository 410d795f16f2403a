import { expect, it } from 'vitest'
import { signRequest } from './sign-request.ts'

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: undefined,
}
const scope = { region: 'us-east-1', service: 'service', now: new Date('2015-08-30T12:36:00Z') }
const url = new URL('https://example.amazonaws.com/')

it("signs the request `post-vanilla` of AWS's own test suite as AWS does", () => {
  expect(signRequest({ url, headers: {}, body: '' }, credentials, scope)).toEqual({
    host: 'example.amazonaws.com',
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  })
})

it('signs the token of temporary credentials', () => {
  const signed = signRequest({ url, headers: {}, body: '' }, { ...credentials, sessionToken: 'TOKEN' }, scope)
  expect(signed['x-amz-security-token']).toBe('TOKEN')
  expect(signed['authorization']).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token')
})
