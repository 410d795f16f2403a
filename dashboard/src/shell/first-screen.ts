let firstScreen: Promise<unknown> = Promise.resolve()

/** The script of the screen that this page shows first, which is on its way. */
export function expectScreen(loading: Promise<unknown>): void {
  firstScreen = loading
}

/**
 * The gate waits for it: a screen that appears a moment after its placeholder is held back by React for 300
 * milliseconds, and only then asks for its rows.
 */
export const untilFirstScreen = (): Promise<unknown> => firstScreen
