import pg from 'pg'

const connectTimeoutMs = 2_000
const reconnectMs = 500
const keepAliveDelayMs = 10_000

/** Each worker has one such connection, by which the database knows how many there are. */
export const listenerName = 'switchyard relay'

interface Listener {
  stop(): Promise<void>
}

/**
 * Calls back on every NOTIFY of the channels, and once for each after a connect, because notifications are lost while
 * the connection is down. Reconnects until it is stopped.
 */
export function listenTo(
  connectionString: string,
  channels: readonly string[],
  onNotice: (channel: string) => void,
): Listener {
  let isStopping = false
  let current: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const connect = (): void => {
    const client = new pg.Client({
      connectionString,
      application_name: listenerName,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveDelayMs,
    })
    current = client
    let hasEnded = false
    const reconnect = (): void => {
      if (hasEnded) return
      hasEnded = true
      client.end().catch(() => undefined)
      if (!isStopping) retry = setTimeout(connect, reconnectMs)
    }
    client.on('notification', ({ channel }) => onNotice(channel))
    client.on('error', reconnect)
    client.on('end', reconnect)
    client
      .connect()
      .then(() =>
        client.query(channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join('; ')),
      )
      .then(() => channels.forEach(onNotice))
      .catch(reconnect)
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
