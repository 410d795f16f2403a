/** From now on this process takes the present for another time. */
export function replaceDate(offsetMs: () => number): void {
  const RightDate = Date
  const now = (): number => RightDate.now() + offsetMs()
  globalThis.Date = new Proxy(RightDate, {
    construct: (target, args: unknown[]) =>
      args.length === 0 ? new target(now()) : (Reflect.construct(target, args) as Date), // its own constructor
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
}
