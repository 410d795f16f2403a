import { correction, generate } from 'lean-qr'
import { expect, it } from 'vitest'
import { qrCode } from './qr-code.ts'

const quietZone = 4

it('the picture has exactly the dark modules of the code, within its quiet zone', () => {
  const text = 'https://pay.example.com/pay/abcdefghijklmnopqrstuvwxyz012345'
  const code = generate(text, { minCorrectionLevel: correction.M })
  const expected: string[] = []
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) expected.push(`${x + quietZone},${y + quietZone}`)
  const picture = qrCode(text)
  const drawn = [...picture.matchAll(/M(\d+) (\d+)h(\d+)v1/g)].flatMap(([, x, y, length]) =>
    Array.from({ length: Number(length) }, (_, index) => `${Number(x) + index},${y}`),
  )
  expect(drawn).toEqual(expected)
  expect(picture).toContain(`viewBox="0 0 ${code.size + 2 * quietZone} ${code.size + 2 * quietZone}"`)
})
