import pg from 'pg'

const connectTimeoutMs = 2_000
const reconnectMs = 500
const keepAliveDelayMs = 10_000

interface Listener {
  stop(): Promise<void>
}

/**
 * Calls back on every NOTIFY of the channel, and once after each connect, because what was said while nobody
 * listened is lost. Connects again by itself until it is stopped.
 */
export function listenTo(connectionString: string, channel: string, onNotice: () => void): Listener {
  let isStopping = false
  let current: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const connect = (): void => {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveDelayMs,
    })
    current = client
    let isOver = false
    const startOver = (): void => {
      if (isOver) return
      isOver = true
      client.end().catch(() => undefined)
      if (!isStopping) retry = setTimeout(connect, reconnectMs)
    }
    client.on('notification', onNotice)
    client.on('error', startOver)
    client.on('end', startOver)
    client
      .connect()
      .then(() => client.query(`listen ${pg.escapeIdentifier(channel)}`))
      .then(onNotice)
      .catch(startOver)
  }
  connect()
  return {
    async stop() {
      isStopping = true
      clearTimeout(retry)
      await current?.end().catch(() => undefined)
    },
  }
}
