import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { recordProbeTried } from '../commands/record-probe-tried.js'
import { isObject } from '../domain/codecs.js'
import { describeOracleFailure } from '../oracle/client/oracle-failure.js'
import { askOracle } from '../oracle/client.js'
import { type SessionContext, turnAway } from './stage-session.js'
import { refused, type StageReply } from './stage-socket.js'

/** The writer's own trial of a page: passed on to the oracle, recorded, and never an outcome. */
export const tryProbe = async (
  context: SessionContext,
  fields: Readonly<Record<string, unknown>>,
): Promise<StageReply> => {
  const { runner, commands, command, key } = context
  const request = fields.request
  if (!isObject(request) || typeof request.id !== 'string' || typeof request.html !== 'string') {
    return turnAway(context, 'malformed', 'expected a request with an id and html')
  }
  const { id, html } = request
  const asked = await askOracle([{ id: 'probe', probe: { html, expect: [] } }], {
    command: runner.oracle,
    env: runner.env,
    signal: context.signal,
  })()
  if (E.isLeft(asked)) return refused('oracle-failed', describeOracleFailure(asked.left))
  const { dumps = {}, errors = {} } = asked.right.replies.get('probe') ?? {}
  const response = { id, dumps, ...(Object.keys(errors).length === 0 ? {} : { errors }) }
  const kept = {
    request: await runner.store.putArtifact(Buffer.from(JSON.stringify({ id, html }))),
    response: await runner.store.putArtifact(Buffer.from(JSON.stringify(response))),
  }
  await commands.send('record-probe-tried', `${key}/${randomUUID()}`, recordProbeTried, {
    ...command,
    ...kept,
  })
  return { ok: true, response }
}
