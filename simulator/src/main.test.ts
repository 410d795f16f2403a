import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { http } from './testing/http.ts'
import { PAWAPAY_TOKEN } from './testing/pawapay-client.ts'

const stateDir = mkdtempSync(join(tmpdir(), 'simulator-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(stateDir, { recursive: true })
})

async function startProcess(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, SIMULATOR_STATE_DIR: stateDir, SIMULATOR_DELAY_MS: '60000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { event, url } = JSON.parse(line) as { event: string; url: string }
  expect(event).toBe('listening')
  return { child, url }
}

test('the process prints its address, keeps its log across kill -9 and stops on SIGTERM', async () => {
  const depositId = randomUUID()
  const deposit = {
    depositId,
    amount: '15',
    currency: 'GHS',
    payer: { type: 'MMO', accountDetails: { phoneNumber: '233593456789', provider: 'MTN_MOMO_GHA' } },
  }
  const headers = { authorization: `Bearer ${PAWAPAY_TOKEN}` }
  const first = await startProcess()
  await http(`${first.url}/pawapay/v2/deposits`, { method: 'POST', headers, body: deposit })
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')

  const second = await startProcess()
  const log = (await http(`${second.url}/_log?reference=${depositId}`)).json()
  expect(log).toMatchObject({ entries: [{ sequence: 1, reference: depositId }] })
  second.child.kill('SIGTERM')
  expect(await once(second.child, 'exit')).toEqual([0, null])
})
