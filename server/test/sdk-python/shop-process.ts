import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { pythonSource, usePython } from './use-python.ts'

/** The shop of `examples/python-shop` as a process that can be killed. */
export interface ShopProcess {
  /** The status of the answer; undefined if there was none. */
  send(method: string, path: string, request?: ShopRequest): Promise<number | undefined>
  order(orderId: string): Promise<Order>
  kill(): Promise<void>
  /** With these variables instead of those that the shop was first given. */
  start(changes?: Record<string, string>): Promise<void>
}

interface Order {
  status: string
  /** How often. */
  shipped: number
}

interface ShopRequest {
  headers?: Record<string, string>
  body?: string
}

const startLimitMs = 60_000

export async function startShop(environment: Record<string, string>): Promise<ShopProcess> {
  const python = usePython()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const send: ShopProcess['send'] = async (method, path, request = {}) => {
    const response = await fetch(`${url}${path}`, { method, ...request }).catch(() => undefined)
    await response?.text().catch(() => undefined)
    return response?.status
  }
  const shop: ShopProcess = {
    send,
    order: async (orderId) => (await (await fetch(`${url}/orders/${orderId}`)).json()) as Order, // as the shop answers
    async start(changes = {}) {
      const options = ['-m', 'uvicorn', 'shop:app', '--port', String(port), '--log-level', 'warning']
      child = spawn(python, options, {
        cwd: join(import.meta.dirname, '../../../examples/python-shop'),
        env: {
          PATH: process.env['PATH'],
          PYTHONPATH: pythonSource,
          PYTHONDONTWRITEBYTECODE: '1',
          ...environment,
          ...changes,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      await waitUntil(() => send('GET', '/orders/none'), { timeoutMs: startLimitMs, what: 'the shop' })
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
  return shop
}
