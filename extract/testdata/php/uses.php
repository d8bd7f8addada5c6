<?php
namespace App;

use Lib\{Store, Item as Thing};
use function Lib\helper;

class Box extends Base
{
    private ?Store $store = null;

    public function __construct(private Thing $thing, int ...$rest)
    {
        $this->other = new Store();
        foreach ($this->all() as $key => $item) {
            $item->show($key);
        }
    }

    public function get(Store $s): ?Thing
    {
        $found = $s->find(self::KEY)?->first();
        $each = fn (Thing $t) => $t->name;
        return helper(static::$cache, $found, $each);
    }
}
