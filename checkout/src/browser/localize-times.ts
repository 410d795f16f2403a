const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const toTwoDigits = (count: number): string => String(count).padStart(2, '0')

/** Shows times in the payer's time zone, with its name, and how much time is left. */
export function localizeTimes(): void {
  const { lang } = document.documentElement
  const regional = navigator.languages.find((preferred) => preferred.split('-')[0] === lang) ?? lang
  const locale = lang === 'ar' ? 'ar-u-nu-latn' : regional
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  for (const element of document.querySelectorAll<HTMLTimeElement>('[data-moment]'))
    element.textContent = format.format(new Date(element.dateTime))
  for (const element of document.querySelectorAll<HTMLElement>('[data-countdown]')) countDown(element, locale)
}

function countDown(element: HTMLElement, locale: string): void {
  const endsAt = new Date(element.dataset['countdown'] ?? '').getTime()
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  const [before = '', after = ''] = (element.dataset['left'] ?? '').split('{time}')
  const clock = document.createElement('bdi')
  let isShown = false
  const tick = (): void => {
    const leftMs = endsAt - Date.now()
    if (leftMs <= 0) {
      clearInterval(timer)
      setTimeout(() => location.replace(location.pathname), secondMs)
      return
    }
    if (leftMs > hourMs) {
      const left =
        leftMs > 2 * dayMs
          ? relative.format(Math.floor(leftMs / dayMs), 'day')
          : relative.format(Math.floor(leftMs / hourMs), 'hour')
      const text = `(${left})`
      if (element.textContent !== text) element.textContent = text
      return
    }
    if (!isShown) element.replaceChildren(before, clock, after)
    isShown = true
    const seconds = Math.floor(leftMs / secondMs)
    clock.textContent = `${toTwoDigits(Math.floor(seconds / 60))}:${toTwoDigits(seconds % 60)}`
  }
  const timer = setInterval(tick, secondMs)
  tick()
}
