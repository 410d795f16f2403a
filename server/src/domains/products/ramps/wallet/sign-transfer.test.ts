import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { anvilSeedPhrase } from '@switchyard/stack/services/anvil.ts'
import { createAgent, createHttpClient, type MutualTls } from '../../../../connectors/kit/http-client.ts'
import {
  expiredCertificate,
  foreignCertificate,
  foreignKey,
  testCertificate,
  testKey,
} from '../../../../../test/app/test-certificates.ts'
import { createLocalSigner, createRemoteSigner } from './sign-transfer.ts'

const local = createLocalSigner(anvilSeedPhrase)
const depositXpub = mnemonicToAccount(anvilSeedPhrase, { path: `m/44'/60'/1'` }).getHdKey().publicExtendedKey
const transaction = {
  chainId: 8453,
  nonce: 7,
  to: privateKeyToAddress(`0x${'1'.repeat(64)}`),
  data: '0xa9059cbb',
  gas: 120_000n,
  maxFeePerGas: 100n,
  maxPriorityFeePerGas: 10n,
} as const
const ours: MutualTls = { ca: testCertificate, cert: testCertificate, key: testKey }

type Answer = (body: { id: string; params: [{ nonce: string; gas: string }] }) => Promise<object>
const honest: Answer = async ({ id, params: [asked] }) => ({
  id,
  result: await local.sign({ ...transaction, nonce: Number(asked.nonce), gas: BigInt(asked.gas) }),
})

const servers: Server[] = []
let calls = 0
/** A signer that answers only those who have a certificate of the authority. */
async function startSigner(answer: Answer = honest, { cert = testCertificate, key = testKey } = {}) {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    calls++
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    response.end(JSON.stringify(await answer(JSON.parse(Buffer.concat(chunks).toString()))))
  }
  const options = { cert, key, ca: testCertificate, requestCert: true, rejectUnauthorized: true }
  const server = createServer(options, (request, response) => void respond(request, response))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return `https://localhost:${(server.address() as AddressInfo).port}` // a TCP server has a port
}
const signerAt = (url: string, tls: MutualTls | undefined = ours) =>
  createRemoteSigner(
    { url, address: local.address, depositXpub },
    createHttpClient(createAgent(undefined, tls)),
  )

afterEach(async () => {
  calls = 0
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

describe('a remote signer', () => {
  it('signs for a client that it knows and that knows it', async () => {
    expect(await signerAt(await startSigner()).sign(transaction)).toBe(await local.sign(transaction))
  })

  it.each([
    ['without a certificate', { ca: testCertificate, cert: '', key: '' }],
    [
      'with the certificate of somebody else',
      { ca: testCertificate, cert: foreignCertificate, key: foreignKey },
    ],
    ['with a certificate that has expired', { ca: testCertificate, cert: expiredCertificate, key: testKey }],
  ])('is asked nothing by a client %s', async (_, tls) => {
    await expect(signerAt(await startSigner(), tls).sign(transaction)).rejects.toThrow('did not answer')
    expect(calls).toBe(0)
  })

  it.each([
    ['of another authority', { cert: foreignCertificate, key: foreignKey }],
    ['that has expired', { cert: expiredCertificate, key: testKey }],
  ])('with a certificate %s hears nothing from us', async (_, certificate) => {
    await expect(signerAt(await startSigner(honest, certificate)).sign(transaction)).rejects.toThrow(
      'did not answer',
    )
    expect(calls).toBe(0)
  })

  it('cannot answer with what it signed before', async () => {
    let first: object | undefined
    const replaying: Answer = async (body) => (first ??= await honest(body))
    const signer = signerAt(await startSigner(replaying))
    await signer.sign(transaction)
    await expect(signer.sign(transaction)).rejects.toThrow('answered another request')
  })

  it.each([
    ['another nonce', { nonce: '8' }],
    ['more gas', { gas: '9000000' }],
  ])('cannot sign with %s than it was asked for', async (_, changed) => {
    const cheating: Answer = (body) => honest({ ...body, params: [{ ...body.params[0], ...changed }] })
    await expect(signerAt(await startSigner(cheating)).sign(transaction)).rejects.toThrow(
      'signed another transaction',
    )
  })
})
