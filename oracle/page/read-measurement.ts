import * as E from 'fp-ts/lib/Either.js'
import { type Dump, viewport } from '../../domain/dump.js'
import type { Engine } from '../../domain/engine.js'

/** What `measurePage` gave, as it is written there. */
type Measurement =
  | { readonly error: string }
  | (Omit<Dump, 'engine'> & { readonly error?: undefined; readonly pixelRatio: number })

/**
 * The dump in the text that a page's measurement gave. `Left` says why there is none: the page's
 * own failure, or a viewport or pixel ratio that is not the one every dump is taken under.
 */
export const readMeasurement = (engine: Engine, text: string): E.Either<string, Dump> => {
  const measurement: Measurement = JSON.parse(text)
  if (measurement.error !== undefined) return E.left(measurement.error)
  const { width, height } = measurement.viewport
  if (width !== viewport.width || height !== viewport.height) {
    return E.left(`measured in ${width} by ${height} px instead of ${viewport.width} by ${viewport.height}`)
  }
  if (measurement.pixelRatio !== 1) {
    return E.left(`measured at ${measurement.pixelRatio} device pixels per px instead of 1`)
  }
  const { overflowed, nodes } = measurement
  return E.right({ engine, viewport: measurement.viewport, overflowed, nodes })
}
