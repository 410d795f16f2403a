import { expect, it } from 'vitest'
import { createHttpClient } from '../../../../connectors/kit/http-client.ts'
import { answer, useReceiver } from '../../../../../test/app/test-receiver.ts'
import { createHttpScreener } from './verify-address.ts'

const receiver = useReceiver()
const wallet = { network: 'BASE', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }
const screen = () =>
  createHttpScreener(createHttpClient(), { url: `${receiver.url}/screen`, token: 's3cret' }).screen(wallet)

it.each(['clear', 'refused'] as const)('a verdict of %s is passed on', async (verdict) => {
  receiver.behave = answer(200, JSON.stringify({ verdict }))
  expect(await screen()).toBe(verdict)
  const last = receiver.received.at(-1)
  expect(JSON.parse(last?.body ?? '')).toEqual(wallet)
  expect(last?.headers.authorization).toBe('Bearer s3cret')
})

it.each([
  ['an error', answer(500, '{"verdict":"clear"}')],
  ['no JSON', answer(200, 'clear')],
  ['an unknown verdict', answer(200, '{"verdict":"probably"}')],
])('%s is never taken for clear', async (_title, behaviour) => {
  receiver.behave = behaviour
  await expect(screen()).rejects.toMatchObject({ status: 503 })
})
