import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Returns the public key in Restate's notation; creates the private key file if it is missing. */
export async function identityKeyOf(privateKeyFile: string): Promise<string> {
  const privatePem = await readFile(privateKeyFile, 'utf8').catch(() => createKeyFile(privateKeyFile))
  const { x } = createPublicKey(createPrivateKey(privatePem)).export({ format: 'jwk' })
  if (!x) throw new Error(`${privateKeyFile} is not an ed25519 key`)
  return `publickeyv1_${toBase58(Buffer.from(x, 'base64url'))}`
}

async function createKeyFile(privateKeyFile: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await mkdir(dirname(privateKeyFile), { recursive: true })
  await writeFile(privateKeyFile, pem, { mode: 0o600, flag: 'wx' })
  return pem
}

export function toBase58(bytes: Uint8Array): string {
  let number = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
  let digits = ''
  while (number > 0n) {
    digits = base58Alphabet.charAt(Number(number % 58n)) + digits
    number /= 58n
  }
  const leadingZeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(leadingZeros === -1 ? bytes.length : leadingZeros) + digits
}
