namespace Warehouse.Api;

using Microsoft.AspNetCore.Mvc;

/// <summary>Routes of the stock service.</summary>
[ApiController]
public sealed partial class StockController(IStore store) : ControllerBase
{
#if DEBUG
    public bool Debug() => true;
#endif

    [HttpGet("{sku}")]
    public async Task<ActionResult<Item>> Get(string sku)
    {
        var item = await store.Find(sku);
        return item is null ? NotFound() : Ok(item);
    }

    private string Half(int a, 
