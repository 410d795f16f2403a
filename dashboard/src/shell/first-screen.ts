let firstScreen: Promise<unknown> = Promise.resolve()

/** The script of the page's first screen, which is loading. */
export function expectScreen(loading: Promise<unknown>): void {
  firstScreen = loading
}

/**
 * The gate waits for the script: React delays a screen that is ready shortly after its placeholder by 300
 * milliseconds, and the screen would request its rows only after that.
 */
export const untilFirstScreen = (): Promise<unknown> => firstScreen
