import { type Config, ConfigError } from './config.ts';
import { useRecords } from './open-records.ts';
import { retryFailedFiles } from './store/sql/files/retried-files.ts';

/**
 * Lets the servers copy again what they could not copy. Also beside running servers, which begin within five seconds. Returns
 * the line for the operator.
 * @throws ConfigError
 */
export async function retryFiles(config: Config): Promise<string> {
  if (config.FILES === 'off')
    throw new ConfigError(
      'gengraph retry-files needs the settings of the server, with FILES. See --env-file',
    );
  const count = await useRecords(config, 'change', (db) => retryFailedFiles(db, Date.now()));
  return `${count} ${count === 1 ? 'file is' : 'files are'} copied again`;
}
